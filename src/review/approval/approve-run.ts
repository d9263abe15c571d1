import { toActor, type Viewer } from '../../auth/user.ts';
import { NOTHING_MEASURED, type Measurements } from '../../baselines/baseline.ts';
import { inMeasuredTransaction, type MeasureContext } from '../../baselines/measure-promotions.ts';
import { promote } from '../../baselines/promote-results.ts';
import type { Db } from '../../db/database.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { buildPromotion } from '../../runs/results/promotion.ts';
import { findResults } from '../../runs/results/result-store.ts';
import type { PageResult } from '../../runs/results/result.ts';
import { findGateOfRun, lockRun } from '../../runs/run-store.ts';
import { isDecidable, isInFlight, promotesAtOnce, type Run } from '../../runs/run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import type { Suite } from '../../suites/suite.ts';
import { findResultsNotShown } from '../changes/variant-store.ts';
import { deleteChangeRequests, findHeldResults, hasLaterAttempt } from '../verdicts/change-request-store.ts';
import { assertNotOverruling, type Seen } from '../verdicts/seen.ts';
import { isApprovable } from './approvable.ts';
import { hasApprovable, lockSameApprovals } from './approval-store.ts';
import { assertAsShown, assertReplacesShown, type Looks } from './as-shown.ts';
import { approveResults, approveSettings, queuePromotionForRun, recordApproval, releaseGate } from './review-gate.ts';

/**
 * Without `resultIds`, all results. If there are several, those on which anybody requests changes are left out; such a
 * result is approved alone. `shown`: results with a change whose variant is none of these ids are left out, too.
 * Undefined: approves them whatever they look like, which only programs do.
 */
export type Approval = {
  resultIds?: string[] | undefined;
  shown?: readonly string[] | undefined;
  /** How the results looked when the person chose them. */
  looks?: Looks | undefined;
  note?: string | null | undefined;
  seen?: Seen;
  /** The hash of the loosened settings that the approver was shown. Undefined: what the pull request loosens now. */
  settings?: string | undefined;
  /** How many changes of results the caller has approved with it, for the record. */
  changes?: number;
};

export type Approved = {
  /** How many results were approved, and how many baseline versions were added. */
  approved: number;
  appended: number;
  /** The version number of the first of these. */
  version: number | null;
  /** Whether one of these is the first of its page and viewport. Such an approval can't be undone. */
  isFirst: boolean;
  /**
   * How many results were left out because a change of theirs was not shown, and because changes were requested.
   */
  notShown: number;
  held: number;
  /** Whether what the pull request loosens was approved. */
  settings?: true;
};

/**
 * Promotes MANUAL and BRANCH runs now. For a PR run a job promotes, if its pull request is merged (docs/rules.md, The
 * gate).
 */
async function promoteNow(
  trx: Db,
  suite: Suite,
  run: Run,
  results: PageResult[],
  { viewer, note }: { viewer: Viewer; note: string | null },
  measurements: Measurements,
): Promise<number[]> {
  if (run.runType === 'PR') {
    await queuePromotionForRun(trx, run.id);
    return [];
  }
  const source = run.runType;
  const promotions = results.flatMap((result) => buildPromotion(result, { approverId: viewer.id, note, source }));
  return (await promote(trx, suite, promotions, toActor(viewer), measurements)).map(({ version }) => version);
}

/**
 * An approval withdraws the approver's own requests for changes to the same results, and to the run once nothing is
 * left to approve.
 */
export async function takeRequestsBack(
  trx: Db,
  run: Run,
  { viewer, of }: { viewer: Viewer; of: string[] },
): Promise<void> {
  if (run.changeRequests === 0) return;
  const authorId = viewer.id;
  const isLeft = settingsReview(await findGateOfRun(trx, run.id)) === 'PENDING' || (await hasApprovable(trx, run));
  const taken = [
    ...(await deleteChangeRequests(trx, run.id, { authorId, of })),
    ...(isLeft ? [] : await deleteChangeRequests(trx, run.id, { authorId, of: 'run' })),
  ];
  if (taken.length > 0) await releaseGate(trx, run, taken, { viewer, decision: 'approve' });
}

/**
 * Like `approveRun`, but in the caller's transaction, where screenshots cannot be measured. Without `measurements` this
 * suits only runs of pull requests, which promote later.
 */
export async function approveInTransaction(
  trx: Db,
  { id, suite }: RunFor<'suite.approve'>,
  { resultIds, shown, looks, note, seen, settings: shownSettings, changes = 0 }: Approval,
  measurements: Measurements = NOTHING_MEASURED,
): Promise<Approved> {
  const { viewer } = suite;
  const run = await lockReviewable(trx, id);
  const chosen = await findChosenResults(trx, run, resultIds);
  const isAlone = resultIds !== undefined && chosen.length === 1;
  const asked = isAlone ? new Set() : await findHeldResults(trx, id);
  const waiting = chosen.filter((result) => isApprovable(run, result));
  const open = waiting.filter((result) => !asked.has(result.id));
  const unseen = shown === undefined ? new Set() : await findResultsNotShown(trx, id, shown);
  const approved = open.filter((result) => !unseen.has(result.id));
  for (const result of approved) assertAsShown(result, looks?.get(result.id));
  const notShown = open.length - approved.length;
  const about = (resultIds === undefined ? approved : chosen)
    .map((result) => result.id)
    .filter((one) => !asked.has(one));
  // If results are named, only those are approved.
  const settings = resultIds === undefined && settingsReview(run) === 'PENDING';
  if (settings) assertShown(run, shownSettings);
  await assertNotOverruling(trx, run, { seen, viewerId: viewer.id, decision: 'approve', resultIds: about, settings });
  if ((looks ?? shown) !== undefined && promotesAtOnce(run)) await assertReplacesShown(trx, suite.id, approved);
  if (settings) await approveSettings(trx, run, { viewer, note: note ?? null });
  const taken = { viewer, of: about };
  const besides = { notShown, held: waiting.length - open.length, ...(settings ? { settings } : {}) };
  const approval = { viewer, note: note ?? null };
  const versions = approved.length === 0 ? [] : await promoteNow(trx, suite, run, approved, approval, measurements);
  if (approved.length > 0) await approveResults(trx, run, approved, approval);
  await takeRequestsBack(trx, run, taken);
  const parts = { results: approved.length, versions: versions.length, settings, changes, note };
  await recordApproval(trx, run, viewer, parts);
  const [version = null] = versions;
  const isFirst = versions.includes(1);
  return { approved: approved.length, appended: versions.length, version, isFirst, ...besides };
}

/**
 * Approves the changed and new results of a finished run and what its pull request changes in the settings, or only the
 * named results. Results that are already approved keep their first approver. Nothing changes when nothing is left to
 * approve.
 * @throws AppError invalid for results of another run; conflict when the run is in flight, cancelled or superseded.
 */
export async function approveRun(
  ctx: MeasureContext,
  run: RunFor<'suite.approve'>,
  approval: Approval,
): Promise<Approved> {
  return inMeasuredTransaction(ctx, (trx, measurements) => approveInTransaction(trx, run, approval, measurements));
}

export const OF_ANOTHER_RUN = 'Some results do not belong to this run';

/** @throws AppError conflict when the run is in flight, was cancelled or is superseded. */
export function assertReviewable(run: Run): void {
  if (isInFlight(run.status)) throw conflict('The run is still in progress', 'run_in_flight');
  if (!isDecidable(run.status)) {
    const code = run.metadata?.reason === 'superseded' ? 'run_superseded' : 'run_cancelled';
    throw conflict('The run was cancelled, so its results cannot be approved', code);
  }
}

/** The run, locked for a decision about it. @throws AppError not_found; conflict as `assertReviewable` */
export async function lockReviewable(trx: Db, id: string): Promise<Run> {
  const run = await lockRun(trx, id);
  if (run === null) throw notFound('Run');
  assertReviewable(run);
  return run;
}

/** The same for an undo, which also changes the runs that share an approval. */
export async function lockUndoable(trx: Db, id: string): Promise<Run> {
  await lockSameApprovals(trx, id);
  return lockReviewable(trx, id);
}

/**
 * The same for a decision that is to hold the gate, which the last attempt at the head decides.
 * @throws AppError also conflict when a later attempt has ended.
 */
export async function lockHoldable(trx: Db, id: string): Promise<Run> {
  const run = await lockReviewable(trx, id);
  if (!(await hasLaterAttempt(trx, id))) return run;
  throw conflict('The commit has been captured again. Decide about the newer run.', 'run_superseded');
}

/**
 * Nobody approves settings that they were not shown. @param shown the hash of the settings that were shown. Undefined:
 * the current ones.
 * @throws AppError conflict when the pull request loosens something else by now: its base moved.
 */
export function assertShown({ settingsHash }: Pick<Run, 'settingsHash'>, shown: string | undefined): void {
  if (shown === undefined || shown === settingsHash) return;
  throw conflict('The settings have changed in the meantime. Look at them again.', 'settings_changed');
}

/**
 * The named results of the run, or all of them.
 * @throws AppError invalid when a named result is of another run.
 */
export async function findChosenResults(trx: Db, run: Run, resultIds: string[] | undefined): Promise<PageResult[]> {
  const results = await findResults(trx, run.id, resultIds);
  const known = new Set(results.map((result) => result.id));
  const unknown = [...new Set(resultIds)].filter((id) => !known.has(id));
  if (unknown.length > 0) {
    const issues = unknown.map((id) => ({ path: 'resultIds', message: `${id} is not a result of this run` }));
    throw invalid(OF_ANOTHER_RUN, issues);
  }
  return results;
}
