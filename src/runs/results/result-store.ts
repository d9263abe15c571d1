import { z } from 'zod';
import { toColumns } from '../../db/camel-case.ts';
import { computed, countRows, readValues, type Db } from '../../db/database.ts';
import type { Place } from '../../suites/config/page-rule.ts';
import type { Run } from '../run.ts';
import { RESULT_COLUMNS } from './result-sql.ts';
import type { PageResult, SettledStatus } from './result.ts';

/**
 * Inserts a PENDING result for each page and viewport that the run captures, in one statement.
 * @param pages the address of each page at the run's target @param skipped what the suite's rules exclude.
 * @returns the paths, in order, and the number of results.
 */
export async function insertPendingResults(
  db: Db,
  run: Run,
  pages: readonly { path: string; url: string }[],
  skipped: readonly Place[],
): Promise<{ paths: string[]; total: number }> {
  const paths = await readValues(
    db,
    z.string(),
    `insert into page_results (test_run_id, position, url, path, viewport)
     select :runId, row_number() over (order by page.path, viewport.place), page.url, page.path,
            viewport.definition ->> 'name'
     from jsonb_to_recordset(:pages::jsonb) as page (path text, url text)
     cross join jsonb_array_elements(:viewports::jsonb) with ordinality as viewport (definition, place)
     where not exists (
       select from jsonb_to_recordset(:skipped::jsonb) as skipped (path text, viewport text)
       where skipped.path = page.path and skipped.viewport = viewport.definition ->> 'name'
     )
     order by page.path, viewport.place
     returning path`,
    {
      runId: run.id,
      pages: JSON.stringify(pages),
      viewports: JSON.stringify(run.config.viewports),
      skipped: JSON.stringify(skipped),
    },
  );
  return { paths: [...new Set(paths)], total: paths.length };
}

/** All results of the run, or only those in `ids`. */
export async function findResults(db: Db, runId: string, ids?: string[]): Promise<PageResult[]> {
  const query = db('page_results').where({ test_run_id: runId }).orderBy('position');
  if (ids !== undefined) void query.whereRaw('id = any(?)', [ids]);
  return query.select(RESULT_COLUMNS);
}

/** Only the columns of the FAIL results that the review gate depends on. */
export async function findChanged(db: Db, runId: string): Promise<Pick<PageResult, 'status' | 'cause' | 'approved'>[]> {
  return db('page_results').where({ test_run_id: runId, status: 'FAIL' }).select('status', 'cause', 'approved');
}

export async function findResult(db: Db, id: string): Promise<PageResult | null> {
  return db('page_results').where({ id }).first(RESULT_COLUMNS);
}

export async function findPendingResults(db: Db, runId: string, path: string): Promise<PageResult[]> {
  return db('page_results')
    .where({ test_run_id: runId, path, status: 'PENDING' })
    .orderBy('position')
    .select(RESULT_COLUMNS);
}

export type ResultChange = Partial<
  Omit<
    PageResult,
    | 'id'
    | 'testRunId'
    | 'url'
    | 'path'
    | 'viewport'
    | 'status'
    | 'approved'
    | 'approvedById'
    | 'approvedAt'
    | 'verdictNumber'
    | 'changesRequested'
    | 'countedAsChange'
    | 'proof'
    | 'leftOut'
    | 'createdAt'
    | 'updatedAt'
  >
> & {
  unmatchedSelectors?: string[] | null;
  /** The current worker passes it on to the next kind of work, which starts from the beginning. */
  isFree?: true;
};

const JSONB = [
  'diffRegions',
  'alsoSeen',
  'served',
  'captureWay',
  'controlServed',
  'heardIds',
  'moves',
  'changeIds',
  'ignoredBoxes',
  'unmatchedSelectors',
  'warnings',
] as const;

const changedColumns = (db: Db, { causePullRequest, isFree, ...change }: ResultChange) => ({
  ...toColumns(change, JSONB),
  cause_pr_number: causePullRequest,
  ...(isFree === true && { taken_by: null, due_at: null, attempts: 0 }),
  updated_at: db.fn.now(),
});

/** False when the result is no longer PENDING, because it was cancelled or the job was delivered twice. */
export async function changePendingResult(db: Db, id: string, change: ResultChange): Promise<boolean> {
  const changed = await db('page_results').where({ id, status: 'PENDING' }).update(changedColumns(db, change));
  return changed === 1;
}

/** The same with the outcome, and the next number in its run, whose row the caller has locked. */
export async function settlePendingResult(
  db: Db,
  { id, testRunId }: Pick<PageResult, 'id' | 'testRunId'>,
  { status, ...change }: ResultChange & { status: SettledStatus },
): Promise<boolean> {
  const settled = await db('page_results')
    .where({ id, status: 'PENDING' })
    .update({
      ...changedColumns(db, { ...change, cause: change.cause ?? (status === 'FAIL' ? 'CHANGE' : null) }),
      status,
      taken_by: null,
      settled_number: db.raw('(select coalesce(max(settled_number), 0) + 1 from page_results where test_run_id = ?)', [
        testRunId,
      ]),
    });
  return settled === 1;
}

/** Unapproved results that were compared with a baseline, in the order of the run. */
export async function findJudgedResults(db: Db, runId: string): Promise<PageResult[]> {
  return db('page_results')
    .where({ test_run_id: runId, approved: false })
    .whereIn('status', ['PASS', 'FAIL'])
    .whereNotNull('baseline_file')
    .whereNotNull('current_file')
    .whereRaw('(baseline_file <> current_file or heard_key is not null)')
    .orderBy('position')
    .select(RESULT_COLUMNS);
}

/** False when the result was approved, unapproved, counted as a change or captured again since it was read. */
export async function changeJudgedResult(
  db: Db,
  result: Pick<PageResult, 'id' | 'currentFile' | 'approved' | 'countedAsChange'>,
  { status, ...change }: ResultChange & { status: 'PASS' | 'FAIL' },
): Promise<boolean> {
  const { id, currentFile, approved, countedAsChange } = result;
  const changed = await db('page_results')
    .where({ id, approved, current_file: currentFile, counted_as_change: countedAsChange })
    .whereIn('status', ['PASS', 'FAIL'])
    .update({ ...changedColumns(db, change), status });
  return changed === 1;
}

/** Clears what a person said about the result's cause. */
export async function forgetCountedAsChange(db: Db, id: string): Promise<void> {
  await db('page_results').where({ id, counted_as_change: true }).update({ counted_as_change: false });
}

export async function cancelPendingResults(db: Db, runId: string): Promise<void> {
  await db('page_results')
    .where({ test_run_id: runId, status: 'PENDING' })
    .update({ status: 'CANCELLED', updated_at: db.fn.now() });
}

/** How many other pages of the run have this screenshot at this viewport. */
export async function countSameScreenshots(
  db: Db,
  { testRunId, viewport, path }: Pick<PageResult, 'testRunId' | 'viewport' | 'path'>,
  currentFile: string,
): Promise<number> {
  return countRows(
    db('page_results').where({ test_run_id: testRunId, viewport, current_file: currentFile }).whereNot({ path }),
  );
}

/** The results of a page that wait for a control screenshot. */
export async function findDueControls(db: Db, runId: string, path: string): Promise<PageResult[]> {
  return db('page_results')
    .where({ test_run_id: runId, path, status: 'PENDING', control_state: 'DUE' })
    .orderBy('position')
    .select(RESULT_COLUMNS);
}

/** How many control screenshots of the run were taken, and how many could not be. */
export async function countControls(db: Db, runId: string): Promise<{ taken: number; failed: number }> {
  const row = await db('page_results')
    .where({ test_run_id: runId })
    .first(
      computed(db, 'taken', 'bigint', "count(*) filter (where control_state = 'TAKEN')"),
      computed(db, 'failed', 'bigint', "count(*) filter (where control_state = 'FAILED')"),
    );
  return row ?? { taken: 0, failed: 0 };
}
