import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { conflict, notFound } from '../../errors.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { findPromotedResultIds } from './approval-store.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { PageResult } from '../../runs/results/result.ts';
import { unapproveResults } from './review-gate.ts';
import { lockRun } from '../../runs/run-store.ts';
import type { Run } from '../../runs/run.ts';
import { isInBase } from '../../runs/run.ts';
import { assertReviewable, findChosenResults } from './reviewable.ts';

const WAY_OUT = 'Restore an earlier version from the page history instead.';
const PROMOTED = `The approved results are already baseline versions, so the approval cannot be undone. ${WAY_OUT}`;
const MERGED = `The pull request is merged, so the approved results become baseline versions. ${WAY_OUT}`;

/**
 * The approved results whose approval can be undone. Named results are undone together or not at all.
 * @throws AppError conflict `promoted` when one of the named results, or every approved one, is a baseline version.
 */
async function undoable(trx: Db, run: Run, approved: PageResult[], isNamed: boolean): Promise<PageResult[]> {
  if (approved.length === 0) return [];
  if (isInBase(run)) throw conflict(MERGED, 'promoted');
  // An approval of a MANUAL or BRANCH run makes versions in its own transaction.
  const promoted = run.runType === 'PR' ? await findPromotedResultIds(trx, run.id) : null;
  const left = approved.filter((result) => promoted !== null && !promoted.has(result.id));
  if (left.length === 0 || (isNamed && left.length < approved.length)) throw conflict(PROMOTED, 'promoted');
  return left;
}

/**
 * Undoes approvals in a pull request's run, whoever approved: those of the named results, or all that have not become a
 * baseline version. Nothing can be undone in runs of other types, or once the pull request is in its
 * base branch.
 * @returns how many approvals were undone; 0 when nothing was approved.
 * @throws AppError invalid for results of another run; conflict when the run is in flight, cancelled or superseded, and
 * conflict `promoted` when it is too late.
 */
export async function undoApproval(
  ctx: Pick<Context, 'db'>,
  { id, suite }: RunFor<'suite.approve'>,
  { resultIds }: { resultIds?: string[] | undefined },
): Promise<{ undone: number }> {
  return inTransaction(ctx.db, async (trx) => {
    const run = await lockRun(trx, id);
    if (run === null) throw notFound('Run');
    assertReviewable(run);
    const chosen = await findChosenResults(trx, run, resultIds);
    const approved = chosen.filter((result) => result.approved);
    const undone = await undoable(trx, run, approved, resultIds !== undefined);
    if (undone.length > 0) {
      await unapproveResults(trx, run, undone, suite.viewer);
      // While it was approved, a result did not follow its baseline.
      await enqueue(trx, 'follow-baselines', { suiteId: run.testSuiteId });
    }
    return { undone: undone.length };
  });
}
