import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';

/** A version that was current before, and what replaced it. */
export type OlderVersion = {
  id: string;
  version: number;
  filePath: string;
  /** Its element map. */
  elementsFile: string | null;
  next: { mergeCommitSha: string | null; prNumber: number | null; approvedAt: Date };
};

/** The versions before the one that a result was compared with, newest first. */
export async function findOlderVersions(
  db: Db,
  suiteId: string,
  { path, viewport, baselineVersionId }: { path: string; viewport: string; baselineVersionId: string | null },
  limit: number,
): Promise<OlderVersion[]> {
  if (baselineVersionId === null) return [];
  const rows = await db('baseline_versions')
    .join('baseline_versions as next', (join) =>
      join
        .on('next.test_suite_id', 'baseline_versions.test_suite_id')
        .andOn('next.path', 'baseline_versions.path')
        .andOn('next.viewport', 'baseline_versions.viewport')
        .andOn('next.version', db.raw('baseline_versions.version + 1')),
    )
    .where({
      'baseline_versions.test_suite_id': suiteId,
      'baseline_versions.path': path,
      'baseline_versions.viewport': viewport,
    })
    .whereRaw('baseline_versions.version < (select version from baseline_versions where id = ?)', [baselineVersionId])
    .orderBy('baseline_versions.version', 'desc')
    .limit(limit)
    .select(
      'baseline_versions.id',
      'baseline_versions.version',
      'baseline_versions.file_path',
      'baseline_versions.elements_file',
      'next.merge_commit_sha',
      'next.pr_number',
      'next.approved_at',
    );
  return rows.map(({ id, version, filePath, elementsFile, ...next }) => ({
    id,
    version,
    filePath,
    elementsFile,
    next,
  }));
}

/** When the suite's own site was last seen as in this version; null when it never was. */
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
