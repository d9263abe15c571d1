import { z } from 'zod';
import { readRow, readValues, type Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import { BLANK_RESULT } from '../results/reset-error-store.ts';
import { RESULT_COLUMNS } from '../results/result-sql.ts';
import type { PageResult } from '../results/result.ts';
import { decidableSql, type Run } from '../run.ts';
import { NO_RECORD, type Proof, type ProofRecord } from './proof.ts';

/** The run before this one that captured the same pull request, or the same address. */
const PREVIOUS_SQL = `select before.id from test_runs as before, test_runs as run
  where run.id = :runId and before.test_suite_id = run.test_suite_id and before.created_at < run.created_at
    and before.run_type = run.run_type and before.git_pr_number is not distinct from run.git_pr_number
    and before.git_branch is not distinct from run.git_branch
    and (run.git_pr_number is not null or run.git_branch is not null or before.target_base_url = run.target_base_url)
    and ${decidableSql('before.status')}
  order by before.created_at desc limit 1`;

/** The outcome of that run requires a capture, whatever is served now. */
const WAS_FINE_SQL = `(last.id is null or (last.status = 'PASS' and last.stability is distinct from 'UNSTABLE'
  and not last.cut and not last.changes_requested and last.refused_at is null))`;

/**
 * Claims results of the run, so that no other worker checks them as well: those of this page first. If the worker dies,
 * they are captured.
 */
export async function claimResults(
  db: Db,
  run: Pick<Run, 'id'>,
  { path, limit, at }: { path: string; limit: number; at: string },
): Promise<PageResult[]> {
  const asked: Proof = { state: 'ASKED', at, requests: 0, version: null };
  const claimed = await readValues(
    db,
    z.string(),
    `update page_results set proof = cast(:asked as jsonb)
     where id in (
       select result.id from page_results as result
       join test_runs as run on run.id = result.test_run_id
       join baselines on baselines.test_suite_id = run.test_suite_id and baselines.path = result.path
         and baselines.viewport = result.viewport
       join baseline_versions as version on version.id = baselines.current_version_id
       left join page_results as last on last.test_run_id = (${PREVIOUS_SQL}) and last.path = result.path
         and last.viewport = result.viewport
       where result.test_run_id = :runId and result.status = 'PENDING' and result.current_file is null
         and not run.renders_all and result.proof is null and result.base_state is null and not result.left_out
         and version.manifest_file is not null and version.at_rest and ${WAS_FINE_SQL}
       order by result.path <> :path, result.position limit :limit
       for update of result skip locked
     )
     returning id`,
    { runId: run.id, asked: JSON.stringify(asked), path, limit },
  );
  return db('page_results').whereRaw('id = any(?)', [claimed]).orderBy('position').select(RESULT_COLUMNS);
}

/** The fields that a proof sets in a passing result. */
export type Proven = {
  id: string;
  proof: Proof;
  file: string;
  versionId: string;
  engine: string | null;
};

/** Results that are captured anyway. */
export async function noteProofs(db: Db, proven: readonly Pick<Proven, 'id' | 'proof'>[]): Promise<void> {
  await db.raw(
    `update page_results set proof = proven.proof
     from jsonb_to_recordset(cast(? as jsonb)) as proven(id uuid, proof jsonb)
     where page_results.id = proven.id and page_results.status = 'PENDING'`,
    [JSON.stringify(proven.map(({ id, proof }) => ({ id, proof })))],
  );
}

/**
 * Settles those that are still PENDING, with the next numbers of their run, whose row the caller has locked. @returns
 * how many.
 */
export async function settleProven(db: Db, runId: string, proven: readonly Proven[]): Promise<number> {
  const settled = await readValues(
    db,
    z.string(),
    `update page_results set status = 'PASS', proof = found.proof, current_file = found.file, baseline_file = found.file,
       baseline_version_id = found.version_id, capture_engine = found.engine, is_new = false, diff_score = 0,
       diff_regions = '[]', screenshots = 0, at_rest = true, settled_number = found.place, updated_at = now()
     from (
       select result.id, proven.proof, proven.file, proven."versionId" as version_id, proven.engine,
         row_number() over (order by result.position)
           + (select coalesce(max(settled_number), 0) from page_results where test_run_id = :runId) as place
       from jsonb_to_recordset(cast(:proven as jsonb))
         as proven(id uuid, proof jsonb, file text, "versionId" uuid, engine text)
       join page_results as result on result.id = proven.id
       where result.test_run_id = :runId and result.status = 'PENDING' and result.current_file is null
     ) as found
     where page_results.id = found.id
     returning page_results.id`,
    { runId, proven: JSON.stringify(proven) },
  );
  return settled.length;
}

const Tally = z.object({
  screenshots: z.number(),
  proven: z.number(),
  wrong: z.number(),
  used: z.number(),
});
export type Tally = z.infer<typeof Tally>;

/** A screenshot by the same engine that differs from the one that the proof predicts. */
const CONTRADICTS_SQL = `page_results.proof ->> 'state' in ('SHADOW', 'SAMPLE', 'DROPPED') and page_results.status in ('PASS', 'FAIL')
  and page_results.current_file <> page_results.baseline_file
  and page_results.proof ->> 'version' = cast(page_results.baseline_version_id as text)
  and page_results.capture_engine = version.capture_engine`;

export async function tallyProofs(db: Db, runId: string): Promise<Tally> {
  return readRow(
    db,
    Tally,
    `select cast(count(*) filter (where page_results.status in ('PASS', 'FAIL')) as integer) as screenshots,
       cast(count(*) filter (where proof ->> 'state' in ('SHADOW', 'SAMPLE', 'USED', 'DROPPED')) as integer) as proven,
       cast(count(*) filter (where ${CONTRADICTS_SQL}) as integer) as wrong,
       cast(count(*) filter (where proof ->> 'state' = 'USED') as integer) as used
     from page_results left join baseline_versions as version on version.id = page_results.baseline_version_id
     where page_results.test_run_id = ?`,
    [runId],
  );
}

/** Resets results that passed by proof, so that they are captured after all. @returns their pages. */
export async function dropProofs(db: Db, runId: string): Promise<string[]> {
  const rows = await db('page_results')
    .where({ test_run_id: runId })
    .whereRaw("proof ->> 'state' = 'USED'")
    .update({
      ...BLANK_RESULT,
      proof: db.raw(`jsonb_set(proof, '{state}', '"DROPPED"')`),
      updated_at: db.fn.now(),
    })
    .returning('path');
  return [...new Set(rows.map(({ path }) => path))];
}

export async function findRecord(db: Db, suiteId: string): Promise<ProofRecord> {
  const row = await db('test_suites').where({ id: suiteId }).first('proof_record');
  return row?.proofRecord ?? NO_RECORD;
}

/** The same, locked, so that no other run that ends now overwrites what this one adds. */
export async function lockRecord(trx: Db, suiteId: string): Promise<ProofRecord> {
  // A stronger lock would block everyone who adds a row to the suite.
  const row = await trx('test_suites').where({ id: suiteId }).forNoKeyUpdate().first('proof_record');
  return row?.proofRecord ?? NO_RECORD;
}

export async function saveRecord(db: Db, suiteId: string, record: ProofRecord): Promise<void> {
  await db('test_suites')
    .where({ id: suiteId })
    .update({ proof_record: json(record) });
}
