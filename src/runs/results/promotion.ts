import type { BaselineSource, Promotion } from '../../baselines/baseline.ts';
import type { PageResult } from './result.ts';

/** The promotion of a result's screenshot; empty when it has none. */
export function buildPromotion(
  result: PageResult,
  approval: {
    source: BaselineSource;
    approverId: string | null;
    note: string | null;
    prNumber?: number;
    mergeCommitSha?: string | null;
  },
): Promotion[] {
  if (result.currentFile === null) return [];
  return [
    {
      path: result.path,
      viewport: result.viewport,
      filePath: result.currentFile,
      source: approval.source,
      approvedById: approval.approverId,
      testRunId: result.testRunId,
      pageResultId: result.id,
      diffScore: result.diffScore,
      comparedVersionId: result.baselineVersionId,
      prNumber: approval.prNumber ?? null,
      mergeCommitSha: approval.mergeCommitSha ?? null,
      note: approval.note,
      captureEngine: result.captureEngine,
      compareEngine: result.compareEngine,
      atRest: result.atRest,
      captureWay: result.captureWay,
      elementsFile: result.elementsFile,
      manifestFile: result.manifestFile,
      heardFile: result.heardFile,
    },
  ];
}
