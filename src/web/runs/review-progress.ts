import type { Context } from '../../context.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { readReviewSpan } from '../../review/verdicts/read-verdicts.ts';
import { isDecidable } from '../../runs/run.ts';

/** How far the review of a run is. */
export type ReviewProgress = {
  decided: number;
  total: number;
  left: number;
  /** Since the first decision; until the last one, when all are made. Null before the first. */
  seconds: number | null;
};

/** Null when there is nothing to decide, or not yet. */
export async function readReviewProgress(
  ctx: Pick<Context, 'db' | 'clock'>,
  { run, toDecide: total, undecided: left }: RunOverview,
): Promise<ReviewProgress | null> {
  if (!isDecidable(run.status) || total === 0) return null;
  const span = await readReviewSpan(ctx, run);
  const end = left === 0 ? span?.endedAt : ctx.clock.now();
  const seconds = span === null || end === undefined ? null : (end.getTime() - span.startedAt.getTime()) / 1000;
  return { decided: total - left, total, left, seconds: seconds === null ? null : Math.max(0, seconds) };
}
