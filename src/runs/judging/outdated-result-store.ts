import type { Db } from '../../db/database.ts';
import { IS_OUTDATED_SQL, RESULT_COLUMNS } from '../results/result-sql.ts';
import type { PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';

/** A result with the baseline that it must be compared with. */
export type OutdatedResult = {
  result: PageResult;
  baseline: { filePath: string; currentVersionId: string; heardFile: string | null };
};

/** In the order of the run. */
export async function findOutdatedResults(
  db: Db,
  { id, testSuiteId }: Pick<Run, 'id' | 'testSuiteId'>,
): Promise<OutdatedResult[]> {
  const rows = await db('page_results')
    .join('baselines', (join) =>
      join
        .on('baselines.path', 'page_results.path')
        .andOn('baselines.viewport', 'page_results.viewport')
        .andOnVal('baselines.test_suite_id', testSuiteId),
    )
    .join('baseline_versions', 'baseline_versions.id', 'baselines.current_version_id')
    .where({ 'page_results.test_run_id': id })
    .whereRaw(IS_OUTDATED_SQL)
    .orderBy('page_results.position')
    .select([
      ...RESULT_COLUMNS,
      'baselines.file_path as moved_file',
      'baselines.current_version_id as moved_version_id',
      'baseline_versions.heard_file as moved_heard_file',
    ]);
  return rows.map(({ movedFile, movedVersionId, movedHeardFile, ...result }) => ({
    result,
    baseline: { filePath: movedFile, currentVersionId: movedVersionId, heardFile: movedHeardFile },
  }));
}
