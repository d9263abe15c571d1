import type { Context } from '../../context.ts';
import type { ReviewResult } from '../../review/list/read-review-result.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { listChangesOfResult } from '../../runs/results/read-changes.ts';
import { isInFlight, isRerunnable } from '../../runs/run.ts';
import type { Badge } from '../badge.ts';
import { APPROVED_BADGE } from '../badge.ts';
import { CHANGE_BADGES } from '../runs/change-badges.ts';
import { listPermissions } from '../permissions.ts';
import type { Poll } from '../live-poll.ts';
import { RESULT_WAIT } from '../live-poll.ts';
import { imagePath, readImage } from './read-image.ts';
import type { ReviewAddress } from './review-path.ts';
import { judgingPath, reviewPath } from './review-path.ts';
import type { ComparisonView } from './comparison-view.ts';
import { comparisonView } from './comparison-view.ts';

/** The content of the page below the head: the screenshots, or why there are none. */
export type ResultBody = {
  comparison: ComparisonView | null;
  error: { message: string; rerun: { action: string; path: string; back: string } | null } | null;
  /** Why the screenshots differ: elements, and what happened to them. */
  changes: { element: string | null; summary: string; badges: Badge[] }[];
  /** A note about the screenshots, or a message in place of them. */
  note: string | null;
  /** Set while the result is pending or judged again. */
  poll: Poll | null;
  /** URLs of images that people will probably open next. */
  ahead: string[];
};

function errorModel({ run, suite }: RunOverview, { result }: ReviewResult, here: string): ResultBody['error'] {
  if (result.status !== 'ERROR') return null;
  const mayRerun = listPermissions(suite.access).run && isRerunnable(run.status);
  return {
    message: result.error ?? 'The screenshot could not be taken.',
    rerun: mayRerun ? { action: `/runs/${run.id}/rerun`, path: result.path, back: here } : null,
  };
}

function describeMissing({ result }: ReviewResult, found: { baseline: boolean; current: boolean }): string | null {
  const lost = [
    ...(result.baselineFile !== null && !found.baseline ? ['baseline'] : []),
    ...(result.currentFile !== null && !found.current ? ['current screenshot'] : []),
  ];
  if (lost.length > 0) return `No longer in storage: ${lost.join(', ')}.`;
  if (result.status === 'CANCELLED') return 'The run was cancelled before this screenshot was taken.';
  if (result.status === 'PENDING') return 'This screenshot has not been taken yet.';
  if (result.isNew) return 'This page is new at this viewport, so there was no baseline to compare with.';
  return result.status === 'PASS' && result.diffScore === 0 ? 'Identical to the baseline.' : null;
}

function choosePoll({ run }: RunOverview, { status }: ReviewResult['result'], href: string, judging: boolean) {
  const isAwaited = judging || (status === 'PENDING' && isInFlight(run.status));
  return isAwaited ? { href, seconds: RESULT_WAIT } : null;
}

const plainLabel = (name: string, detail: string | null) => ({ name, detail, at: null });

export async function resultBody(
  ctx: Pick<Context, 'config' | 'db' | 'storage'>,
  overview: RunOverview,
  review: ReviewResult,
  { address, judging }: { address: ReviewAddress; judging: boolean },
): Promise<ResultBody> {
  const { result, ahead } = review;
  const { baselineVersion } = result;
  const here = reviewPath(address, result.id);
  const [changes, baseline, current, difference] = await Promise.all([
    result.status === 'FAIL' ? listChangesOfResult(ctx, result) : [],
    readImage(ctx, result.baselineFile),
    readImage(ctx, result.currentFile),
    readImage(ctx, result.diffFile),
  ]);
  return {
    comparison: comparisonView({
      baseline,
      current,
      difference,
      labels: {
        baseline: plainLabel('Baseline', baselineVersion === null ? null : `version ${baselineVersion}`),
        current: plainLabel(result.isNew ? 'New' : 'Current', null),
      },
      regions: result.diffRegions,
      subject: `${result.path} at ${result.viewport}`,
      choice: address.choice,
      addressOf: (choice) => reviewPath({ ...address, choice }, result.id),
    }),
    changes: changes.map(({ element, summary, kind, approvedAt }) => ({
      element: element === '' ? null : element,
      summary,
      badges: [CHANGE_BADGES[kind], ...(approvedAt === null ? [] : [APPROVED_BADGE])],
    })),
    error: errorModel(overview, review, here),
    note: describeMissing(review, { baseline: baseline !== null, current: current !== null }),
    poll: choosePoll(overview, result, judging ? judgingPath(address, result.id) : here, judging),
    ahead: ahead
      .flatMap((row) => [row.baselineFile, row.currentFile, row.diffFile])
      .flatMap((name) => (name === null ? [] : [imagePath(ctx.config, name)])),
  };
}
