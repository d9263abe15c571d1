import type { BaselineSource, Promotion } from '../../baselines/baseline.ts';
import type { PageResult } from '../../runs/results/result.ts';
import type { Run } from '../../runs/run.ts';

type ApprovedSource = Exclude<BaselineSource, 'INITIAL'>;

/** The promotion that an approval of this result causes; empty when the result has no screenshot. */
export function buildPromotion(
  run: Pick<Run, 'id'>,
  result: PageResult,
  approval: {
    source: ApprovedSource;
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
      testRunId: run.id,
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
