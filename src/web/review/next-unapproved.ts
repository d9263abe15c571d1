import type { Context } from '../../context.ts';
import { listReviewRows } from '../../review/list-for-review.ts';
import { readReviewResult } from '../../review/read-review-result.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { runPath } from '../runs/result-filter.ts';
import type { ReviewAddress } from './review-path.ts';
import { reviewPath } from './review-path.ts';

/** Where to go once the result is approved: the next that is not, from the top again after the last, else the run. */
export async function nextUnapproved(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  address: ReviewAddress,
  resultId: string,
): Promise<string> {
  const { runId } = address;
  const filter = { ...address.filter, unapproved: true };
  const [{ neighbours }, { rows }] = await Promise.all([
    readReviewResult(ctx, run, resultId, filter),
    listReviewRows(ctx, run, filter, { limit: 1, offset: 0 }),
  ]);
  const first = rows.find((row) => row.id !== resultId);
  const next = neighbours.next ?? first?.id ?? null;
  return next === null ? runPath(runId) : reviewPath(address, next);
}
