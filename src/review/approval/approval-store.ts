import { z } from 'zod';
import type { BaselineVersion } from '../../baselines/baseline.ts';
import { STANDING_SQL } from '../../baselines/version-sql.ts';
import { CaptureWay } from '../../capture/browser/capture-request.ts';
import { countRows, readRows, readValues, type Db } from '../../db/database.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { isDecidable, type Run } from '../../runs/run.ts';
import { hasMergedLater, refusedSql } from '../verdicts/change-request-store.ts';
import { approvableSql, BUILT_ON_SQL, NEWEST_SQL, UNDOABLE_SQL } from './approvable-sql.ts';

/** Not `now()`: that is the start of the transaction, which may have waited for another approval to commit. */
const now = (db: Db) => db.raw('clock_timestamp()');

/** Marks results as approved by a person. Results that are already approved keep their first approver. */
export async function markApproved(db: Db, ids: string[], approverId: string): Promise<void> {
  await db('page_results')
    .whereRaw('id = any(?)', [ids])
    .where({ approved: false })
    .update({ approved: true, approved_by: approverId, approved_at: now(db), updated_at: db.fn.now() });
}

/**
 * The same approvals in other runs of unmerged pull requests: those that were carried over from these, and those that
 * these come from, as a force-push may bring an earlier commit back. An approval is identified by its approver and its
 * exact time.
 */
export async function findCarriedOver(db: Db, ids: string[]): Promise<{ id: string; testRunId: string }[]> {
  return readRows(
    db,
    z.object({ id: z.uuid(), testRunId: z.uuid() }),
    `select carried.id, carried.test_run_id
     from page_results
     join test_runs on test_runs.id = page_results.test_run_id
     join test_runs as later on later.test_suite_id = test_runs.test_suite_id and later.run_type = 'PR'
       and later.id <> test_runs.id and not later.git_merged
     join page_results as carried on carried.test_run_id = later.id and carried.path = page_results.path
       and carried.viewport = page_results.viewport and carried.current_file = page_results.current_file
       and carried.approved_by = page_results.approved_by
       and carried.approved_at = page_results.approved_at
     where page_results.id = any(?) and test_runs.run_type = 'PR' and page_results.approved`,
    [ids],
  );
}

/** Stores the time of the undo, so that older approvals of the same screenshot are no longer carried over. */
export async function markUnapproved(db: Db, ids: string[]): Promise<void> {
  await db('page_results')
    .whereRaw('id = any(?)', [ids])
    .where({ approved: true })
    .update({
      approved: false,
      approved_by: null,
      approved_at: null,
      carried_over: false,
      approval_undone_at: now(db),
      updated_at: db.fn.now(),
    });
}

/** Whether anything in the run can still be approved. */
export async function hasApprovable(db: Db, run: Pick<Run, 'id' | 'runType'>): Promise<boolean> {
  const row = await db('page_results').where({ test_run_id: run.id }).whereRaw(approvableSql(run)).first('id');
  return row !== null;
}

/** How many approvals of the run can be undone. */
export async function countUndoable(db: Db, run: Run): Promise<number> {
  if (!isDecidable(run.status) || (await hasMergedLater(db, run))) return 0;
  return countRows(db('page_results').where({ test_run_id: run.id }).whereRaw(UNDOABLE_SQL));
}

/** Which of these results have an approval that can be undone. */
export async function readUndoable(db: Db, run: RunFor, ids: string[]): Promise<Set<string>> {
  if (!isDecidable(run.status) || ids.length === 0 || (await hasMergedLater(db, run))) return new Set();
  return new Set(await db('page_results').whereRaw('id = any(?)', [ids]).whereRaw(UNDOABLE_SQL).pluck('id'));
}

const StandingPromotion = z.object({
  resultId: z.uuid(),
  path: z.string(),
  viewport: z.string(),
  versionId: z.uuid(),
  version: z.number(),
  testRunId: z.uuid().nullable(),
  diffScore: z.number().nullable(),
  isNewest: z.boolean(),
  isBuiltOn: z.boolean(),
  filePath: z.string().nullable(),
  captureEngine: z.string().nullable(),
  compareEngine: z.string().nullable(),
  atRest: z.boolean().nullable(),
  captureWay: CaptureWay.nullable(),
  elementsFile: z.string().nullable(),
  manifestFile: z.string().nullable(),
  heardFile: z.string().nullable(),
});
/**
 * The baseline version that an approved result became. The fields from `filePath` on belong to the version before it.
 * Null if it is the first.
 */
export type StandingPromotion = z.infer<typeof StandingPromotion>;

/** The run's approved results that became a version by an approval, by a merge or through the API. */
export async function findStandingPromotions(db: Db, runId: string): Promise<StandingPromotion[]> {
  return readRows(
    db,
    StandingPromotion,
    `select page_results.id as result_id, baseline_versions.path, baseline_versions.viewport,
            baseline_versions.id as version_id, baseline_versions.version, baseline_versions.diff_score,
            before.test_run_id, ${NEWEST_SQL} as is_newest, ${BUILT_ON_SQL} as is_built_on, before.file_path,
            before.capture_engine, before.compare_engine, before.at_rest, before.capture_way, before.elements_file,
            before.manifest_file, before.heard_file
     from page_results
     join baseline_versions on baseline_versions.page_result_id = page_results.id and ${STANDING_SQL}
     left join baseline_versions as before on before.test_suite_id = baseline_versions.test_suite_id
       and before.path = baseline_versions.path and before.viewport = baseline_versions.viewport
       and before.version = baseline_versions.version - 1
     where page_results.test_run_id = ? and page_results.approved`,
    [runId],
  );
}

/** The run's result was compared with the screenshot that is the baseline again. */
export async function followRestored(
  db: Db,
  runId: string,
  { id, path, viewport, filePath }: Pick<BaselineVersion, 'id' | 'path' | 'viewport' | 'filePath'>,
): Promise<void> {
  await db('page_results')
    .where({ test_run_id: runId, path, viewport, baseline_file: filePath })
    .update({ baseline_version_id: id });
}

/** The runs (`other`) of the pull request of a run (`this`), and of those that were merged into it. */
export const SAME_PULL_REQUEST = `from test_runs as this
  join test_runs as other on other.test_suite_id = this.test_suite_id and other.run_type = 'PR'
    and other.git_owner = this.git_owner and other.git_repo = this.git_repo
    and (other.git_pr_number = this.git_pr_number or other.git_pr_number = any(:mergedInto))`;

/**
 * Approves each screenshot that has the same bytes as one approved in another run of the same suite and pull request,
 * or of one of the pull requests that were merged into it, if its baseline is the same and assistive technology hears the
 * same differences. Files are named after their bytes. Approver and time come from the first such approval. Approvals
 * undone later, in any run of the pull request, and those of screenshots on which somebody requests changes don't count.
 * @returns how many results were approved.
 */
export async function carryApprovals(db: Db, runId: string, mergedInto: readonly number[]): Promise<number> {
  const { rowCount } = await db.raw(
    `with runs as (
       select other.id ${SAME_PULL_REQUEST}
       where this.id = :runId
     ), earlier as (
       select distinct on (before.path, before.viewport, before.current_file, before.baseline_file, before.heard_key)
              before.path, before.viewport, before.current_file, before.baseline_file, before.heard_key,
              before.approved_by, before.approved_at
       from page_results as before
       where before.test_run_id in (select id from runs where id <> :runId)
         and before.approved and before.current_file is not null
         and not exists (
           select from page_results as undone
           where undone.test_run_id in (select id from runs) and undone.path = before.path
             and undone.viewport = before.viewport and undone.current_file = before.current_file
             and undone.approval_undone_at > before.approved_at
         )
         and not ${refusedSql('before', 'select id from runs')}
       order by before.path, before.viewport, before.current_file, before.baseline_file, before.heard_key,
                before.approved_at
     )
     update page_results set approved = true, approved_by = earlier.approved_by, approved_at = earlier.approved_at,
            carried_over = true, updated_at = now()
     from earlier
     where page_results.test_run_id = :runId and ${approvableSql({ runType: 'PR' })}
       and page_results.path = earlier.path and page_results.viewport = earlier.viewport
       and page_results.current_file = earlier.current_file
       and page_results.baseline_file is not distinct from earlier.baseline_file
       and page_results.heard_key is not distinct from earlier.heard_key`,
    { runId, mergedInto: [...mergedInto] },
  );
  return rowCount ?? 0;
}

/** Approves what the run's pull request loosens. An earlier approver is kept. */
export async function markSettingsApproved(db: Db, runId: string, approverId: string): Promise<void> {
  await db('test_runs')
    .where({ id: runId, settings_approved_at: null })
    .update({ settings_approved_by: approverId, settings_approved_at: now(db), updated_at: db.fn.now() });
}

/** The run (`this`), and those (`later`) to or from which its approval of the settings was carried over, if unmerged. */
const SAME_SETTINGS_SQL = `(later.id = this.id or (
    later.test_suite_id = this.test_suite_id and not later.git_merged
    and later.settings_hash = this.settings_hash and later.settings_approved_at = this.settings_approved_at
    and later.settings_approved_by is not distinct from this.settings_approved_by
  ))`;

/**
 * Locks the run and all that share one of its approvals in one order, so that two people who undo in two of them don't
 * wait for each other.
 */
export async function lockSameApprovals(trx: Db, runId: string): Promise<void> {
  const approved = await trx('page_results').where({ test_run_id: runId, approved: true }).pluck('id');
  const sharing = (await findCarriedOver(trx, approved)).map(({ testRunId }) => testRunId);
  await trx.raw(
    `select later.id from test_runs as this cross join test_runs as later
     where this.id = :id and (${SAME_SETTINGS_SQL} or later.id = any(:sharing::uuid[]))
     order by later.id for no key update of later`,
    { id: runId, sharing },
  );
}

/**
 * Also where the approval was carried over to or from. Stores the time of the undo, so that older approvals of the same
 * are no longer carried over.
 * @returns the ids of all these runs.
 */
export async function markSettingsUnapproved(db: Db, runId: string): Promise<string[]> {
  return readValues(
    db,
    z.uuid(),
    `update test_runs as later set settings_approved_by = null, settings_approved_at = null,
            settings_carried_over = false, settings_undone_at = clock_timestamp(), updated_at = now()
     from test_runs as this where this.id = ? and ${SAME_SETTINGS_SQL}
     returning later.id`,
    [runId],
  );
}

/**
 * Approves what the run's pull request loosens if exactly that was approved in an earlier run of it, or of one of the pull
 * requests that were merged into it, and nobody undid that later.
 * @returns whether it was.
 */
export async function carrySettingsApproval(db: Db, runId: string, mergedInto: readonly number[]): Promise<boolean> {
  const { rowCount } = await db.raw(
    `with same as (
       select other.settings_approved_by, other.settings_approved_at, other.settings_undone_at
       ${SAME_PULL_REQUEST} and other.settings_hash = this.settings_hash
       where this.id = :runId and this.settings_approved_at is null
     ), earlier as (
       select settings_approved_by, settings_approved_at from same
       where settings_approved_at > coalesce((select max(settings_undone_at) from same), '-infinity')
       order by settings_approved_at limit 1
     )
     update test_runs set settings_approved_by = earlier.settings_approved_by,
            settings_approved_at = earlier.settings_approved_at, settings_carried_over = true, updated_at = now()
     from earlier where test_runs.id = :runId`,
    { runId, mergedInto: [...mergedInto] },
  );
  return rowCount === 1;
}
