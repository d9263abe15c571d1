import { z } from 'zod';
import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';

const OlderRow = z.object({
  id: z.uuid(),
  version: z.int(),
  filePath: z.string(),
  elementsFile: z.string().nullable(),
  heardFile: z.string().nullable(),
  isRefused: z.boolean(),
  mergeCommitSha: z.string().nullable(),
  prNumber: z.int().nullable(),
  approvedAt: z.date(),
});

/** A former version, and the one that replaced it. */
export type OlderVersion = Pick<
  z.infer<typeof OlderRow>,
  'id' | 'version' | 'filePath' | 'elementsFile' | 'heardFile' | 'isRefused'
> & { next: Pick<z.infer<typeof OlderRow>, 'mergeCommitSha' | 'prNumber' | 'approvedAt'> };

/** Compares the key of two rows of versions. */
const sameKey = (one: string, other: string) =>
  `${one}.test_suite_id = ${other}.test_suite_id and ${one}.path = ${other}.path and ${one}.viewport = ${other}.viewport`;

/** A restore or an undo has returned to a version before `older`. */
const SKIPPED_SQL = `exists (
  select from baseline_versions as restored
  where ${sameKey('restored', 'older')} and restored.version > older.version and restored.restored_version < older.version
)`;

/**
 * The screenshot of the version `older` was refused: an approval was undone, or somebody requested changes, since it
 * became that version or in the run in which it was approved.
 */
const REFUSED_SQL = `exists (
  select from page_results as refused join test_runs on test_runs.id = refused.test_run_id
  where test_runs.test_suite_id = older.test_suite_id and refused.path = older.path and refused.viewport = older.viewport
    and (refused.refused_at is not null or refused.approval_undone_at is not null)
    and refused.current_file = older.file_path
    and (refused.approval_undone_at > older.approved_at or refused.refused_at > older.approved_at
      or (refused.refused_at is not null and refused.id = older.page_result_id))
)`;

/**
 * The screenshots that were the baseline before the one that a result was compared with, newest first, each with the
 * last version that has it. Screenshots that were approved again after a refusal are not refused.
 */
export async function findOlderVersions(
  db: Db,
  { baselineVersionId }: { baselineVersionId: string | null },
  limit: number,
): Promise<OlderVersion[]> {
  const rows = await readRows(
    db,
    OlderRow,
    `select older.id, older.version, older.file_path, older.elements_file, older.heard_file, (${SKIPPED_SQL} or ${REFUSED_SQL}) as is_refused,
            next.merge_commit_sha, next.pr_number, next.approved_at
     from baseline_versions as compared
     join baseline_versions as older on ${sameKey('older', 'compared')} and older.version < compared.version
     join baseline_versions as next on ${sameKey('next', 'older')} and next.version = older.version + 1
     where compared.id = :baselineVersionId::uuid and not exists (
       select from baseline_versions as again
       where ${sameKey('again', 'older')} and again.version > older.version and again.file_path = older.file_path
     )
     order by older.version desc limit :limit`,
    { baselineVersionId, limit },
  );
  return rows.map(({ mergeCommitSha, prNumber, approvedAt, ...older }) => ({
    ...older,
    next: { mergeCommitSha, prNumber, approvedAt },
  }));
}

/** When the suite's own site last looked like this version. Null: never. */
export async function findLastSighting(db: Db, versionId: string): Promise<Date | null> {
  const seen = await db('page_results')
    .join('test_runs', 'test_runs.id', 'page_results.test_run_id')
    .where({ 'page_results.baseline_version_id': versionId, 'page_results.status': 'PASS', run_type: 'MANUAL' })
    .first(computed(db, 'at', 'timestamptz or null', 'max(test_runs.created_at)'));
  const made = await db('baseline_versions')
    .join('test_runs', 'test_runs.id', 'baseline_versions.test_run_id')
    .where({ 'baseline_versions.id': versionId, run_type: 'MANUAL' })
    .first('test_runs.created_at as at');
  const times = [seen?.at ?? null, made?.at ?? null].filter((at) => at !== null);
  return times.length === 0 ? null : new Date(Math.max(...times.map((at) => at.getTime())));
}
