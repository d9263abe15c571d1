import { computed, type Db } from '../../db/database.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { RESULT_COLUMNS } from '../results/result-sql.ts';
import { rankSection, type PageResult } from '../results/result.ts';

/** A browser that captures for this installation: what decides its pixels, and on how many hosts it runs. */
export type SeenEngine = { engine: string; hosts: number; lastSeenAt: Date };

/** When this process last recorded an engine, ms. */
const written = new WeakMap<Db, Map<string, number>>();
const WRITE_MS = 60_000;

/** Recorded at most once a minute, because this is called for every page. */
export async function saveEngine(db: Db, engine: string, host: string): Promise<void> {
  const known = written.get(db) ?? new Map<string, number>();
  const now = performance.now();
  if (now - (known.get(engine) ?? -Infinity) < WRITE_MS) return;
  await db('capture_engines')
    .insert({ engine, host })
    .onConflict(['engine', 'host'])
    .merge({ last_seen_at: db.fn.now() })
    .whereRaw("capture_engines.last_seen_at < now() - interval '1 minute'");
  written.set(db, known.set(engine, now));
}

/** Engines that captured in the last `seconds`, the most used first. */
export async function findEngines(db: Db, seconds: number): Promise<SeenEngine[]> {
  return db('capture_engines')
    .whereRaw('last_seen_at > now() - make_interval(secs => ?)', [seconds])
    .groupBy('engine')
    .select(
      'engine',
      computed(db, 'hosts', 'bigint', 'count(*)'),
      computed(db, 'last_seen_at', 'timestamptz', 'max(last_seen_at)'),
    )
    .orderBy('hosts', 'desc')
    .orderBy('engine')
    .limit(20);
}

/**
 * Unapproved results that differ from the current baseline only because of the browser, and to which nobody requests
 * changes. The condition on their rank uses an index.
 */
const OF_ENGINE_SQL = `(page_results.review_rank = ${rankSection('uncounted')} and page_results.status = 'FAIL' and page_results.cause = 'ENGINE'
  and not page_results.approved and not page_results.changes_requested
  and exists (select from baselines where baselines.current_version_id = page_results.baseline_version_id))`;

/**
 * The newest completed run of the suite's own site, and how many of its results differ only because of the browser.
 * `which`: a hash of these results and what they were compared with.
 */
export async function readEngineDifferences(
  db: Db,
  suite: SuiteFor,
): Promise<{ runId: string; results: number; which: string } | null> {
  const ofEngine = (value: string) =>
    `(select ${value} from page_results where test_run_id = test_runs.id and ${OF_ENGINE_SQL})`;
  const row = await db('test_runs')
    .where({ test_suite_id: suite.id, status: 'COMPLETED', run_type: 'MANUAL' })
    .orderBy('created_at', 'desc')
    .first(
      'id as run_id',
      computed(db, 'results', 'bigint', ofEngine('count(*)')),
      computed(
        db,
        'which',
        'text',
        ofEngine("coalesce(md5(string_agg(concat(id, baseline_version_id), ',' order by id)), '')"),
      ),
    );
  return row === null || row.results === 0 ? null : row;
}

export async function findEngineResults(db: Db, runId: string): Promise<PageResult[]> {
  return db('page_results')
    .where({ test_run_id: runId })
    .whereRaw(OF_ENGINE_SQL)
    .orderBy('position')
    .select(RESULT_COLUMNS);
}
