import { z } from 'zod';
import { readRows, type Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { DECIDABLE, decidableSql } from '../run.ts';
import type { RuleMatches } from '../unmatched-selectors.ts';

/** How many pages of the suite's own site have drifted from their baselines, and a run that shows it. */
const Drift = z.object({ runId: z.uuid(), pages: z.int() });

/** How many runs of previews are read. */
const NEWEST = 20;

/**
 * Pages whose control screenshot differed from the still current baseline, in the newest runs of previews since the
 * last completed run of the suite's own site; and the newest run with such a page. Null: there is none.
 */
export async function readDrift(db: Db, { id: suiteId }: SuiteFor): Promise<z.infer<typeof Drift> | null> {
  const [drift] = await readRows(
    db,
    Drift,
    `with recent as (
       select id, created_at from test_runs
       where test_suite_id = :suiteId and run_type <> 'MANUAL' and status = 'COMPLETED'
         and created_at > coalesce(
           (select max(created_at) from test_runs where test_suite_id = :suiteId and run_type = 'MANUAL' and status = 'COMPLETED'), '-infinity')
       order by created_at desc
       limit :runs
     )
     select (array_agg(recent.id order by recent.created_at desc))[1] as run_id,
            count(distinct page_results.path)::int as pages
     from recent
     join page_results on page_results.test_run_id = recent.id and page_results.drifted
     join baselines on baselines.test_suite_id = :suiteId and baselines.path = page_results.path
       and baselines.viewport = page_results.viewport
       and baselines.current_version_id = page_results.baseline_version_id
     having count(*) > 0`,
    { suiteId, runs: NEWEST },
  );
  return drift ?? null;
}

const Warned = z.object({ code: z.string(), pages: z.int(), timeout: z.number().nullable() });

/**
 * By the code of a warning: the pages that have it in the newest run of the suite's own site, and the highest
 * `settle.timeout` that one of them needs, ms. Null: unknown.
 */
export async function countWarnedPages(
  db: Db,
  testSuiteId: string,
): Promise<Map<string, { pages: number; timeout: number | null }>> {
  const rows = await readRows(
    db,
    Warned,
    `select warning ->> 'code' as code, count(distinct path)::int as pages,
            max((warning ->> 'timeout')::double precision) as timeout
     from page_results cross join jsonb_array_elements(warnings) as warning
     where warnings <> '[]' and test_run_id = (
       select id from test_runs
       where test_suite_id = :testSuiteId and run_type = 'MANUAL' and ${decidableSql('status')}
       order by created_at desc limit 1
     )
     group by warning ->> 'code'`,
    { testSuiteId },
  );
  return new Map(rows.map(({ code, ...counts }) => [code, counts]));
}

const Matches = z.object({ path: z.string(), viewport: z.string(), unmatchedSelectors: z.array(z.string()) });

/** What the captured results of a run say about the selectors of its rules. */
export async function findRuleMatches(db: Db, runId: string): Promise<RuleMatches[]> {
  return readRows(
    db,
    Matches,
    `select path, viewport, unmatched_selectors from page_results
     where test_run_id = :runId and unmatched_selectors is not null order by position`,
    { runId },
  );
}

/** Stores which selectors of its rules matched nothing, when a run ends. */
export async function setUnmatchedSelectors(db: Db, id: string, selectors: string[]): Promise<void> {
  await db('test_runs')
    .where({ id })
    .update({ unmatched_selectors: json(selectors) });
}

/** Selectors of rules that matched nothing on any page of the suite's newest finished run. */
export async function readUnmatchedSelectors(db: Db, suite: SuiteFor): Promise<string[]> {
  const row = await db('test_runs')
    .where({ test_suite_id: suite.id })
    .whereIn('status', DECIDABLE)
    .whereNotNull('unmatched_selectors')
    .orderBy('created_at', 'desc')
    .first('unmatched_selectors');
  return row?.unmatchedSelectors ?? [];
}
