import { inMeasuredTransaction } from '../../baselines/measure-promotions.ts';
import type { Measurements } from '../../baselines/measurement.ts';
import { NOTHING_MEASURED } from '../../baselines/measurement.ts';
import { promote } from '../../baselines/promote-results.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { notFound } from '../../errors.ts';
import { isApprovable } from './approvable.ts';
import { approveResults } from './review-gate.ts';
import { lockRun } from '../../runs/run-store.ts';
import { queuePromotionForRun } from './queue-promotion.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { PageResult } from '../../runs/results/result.ts';
import type { Run } from '../../runs/run.ts';
import type { Suite } from '../../suites/suite.ts';
import { buildPromotion } from './promotion.ts';
import { assertReviewable, findChosenResults } from './reviewable.ts';

export type Approval = { resultIds?: string[] | undefined; note?: string | undefined };

/** How many results were approved, and how many baseline versions were added. */
type Approved = { approved: number; appended: number };

/** Promotes MANUAL and BRANCH runs now. For a PR run a job promotes, if its pull request is merged (contract 7.4). */
async function promoteNow(
  trx: Db,
  suite: Suite,
  run: Run,
  results: PageResult[],
  approval: { approverId: string; note: string | null },
  measurements: Measurements,
): Promise<number> {
  if (run.runType === 'PR') {
    await queuePromotionForRun(trx, run.id);
    return 0;
  }
  const source = run.runType;
  const promotions = results.flatMap((result) => buildPromotion(run, result, { ...approval, source }));
  return (await promote(trx, suite, promotions, measurements)).length;
}

/**
 * Like `approveRun`, but in the caller's transaction, where screenshots cannot be measured. Without `measurements` this
 * suits only runs of pull requests, which promote later.
 */
export async function approveInTransaction(
  trx: Db,
  { id, suite }: RunFor<'suite.approve'>,
  { resultIds, note }: Approval,
  measurements: Measurements = NOTHING_MEASURED,
): Promise<Approved> {
  const { viewer } = suite;
  const run = await lockRun(trx, id);
  if (run === null) throw notFound('Run');
  assertReviewable(run);
  const chosen = await findChosenResults(trx, run, resultIds);
  const approved = chosen.filter((result) => isApprovable(run, result));
  if (approved.length === 0) return { approved: 0, appended: 0 };
  const approval = { approverId: viewer.id, note: note ?? null };
  const appended = await promoteNow(trx, suite, run, approved, approval, measurements);
  await approveResults(trx, run, approved, viewer);
  return { approved: approved.length, appended };
}

/**
 * Approves the changed and new results of a finished run, or only the named ones. Results that are already approved
 * keep their first approver. Nothing changes when nothing is left to approve.
 * @throws AppError invalid for results of another run; conflict when the run is in flight, cancelled or superseded.
 */
export async function approveRun(
  ctx: Pick<Context, 'db' | 'storage' | 'log'>,
  run: RunFor<'suite.approve'>,
  approval: Approval,
): Promise<Approved> {
  return inMeasuredTransaction(ctx, (trx, measurements) => approveInTransaction(trx, run, approval, measurements));
}
