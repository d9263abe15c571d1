import { toActor } from '../../auth/user.ts';
import type { Measurements, Promotion } from '../../baselines/baseline.ts';
import { inMeasuredTransaction, type MeasureContext } from '../../baselines/measure-promotions.ts';
import { promote } from '../../baselines/promote-results.ts';
import type { Db } from '../../db/database.ts';
import { conflict } from '../../errors.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { PageResult } from '../../runs/results/result.ts';
import { isInBase, type Run } from '../../runs/run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { markChangesUnapproved, type OwnSince } from '../changes/change-group-store.ts';
import { deleteChangeRequests, hasMergedLater } from '../verdicts/change-request-store.ts';
import { assertNotOverruling, type Seen } from '../verdicts/seen.ts';
import { findOwnSince, insertVerdict } from '../verdicts/verdict-store.ts';
import { findStandingPromotions, followRestored, type StandingPromotion } from './approval-store.ts';
import { findChosenResults, lockUndoable } from './approve-run.ts';
import { recordUndo, releaseGate, unapproveResults, unapproveSettings } from './review-gate.ts';

const WAY_OUT = 'Restore an earlier version from the page history instead.';
const BUILT_ON = `A later run was already compared with the approved screenshots, so the approval cannot be undone. ${WAY_OUT}`;
const REPLACED = `A newer baseline version has replaced the approved screenshots, so the approval cannot be undone. ${WAY_OUT}`;
const MERGED_LATER = 'The pull request is merged with a later run. Undo the approval there.';
const FIRST =
  'The approved screenshots are the first baselines of their pages, so there is no earlier version to restore.';

export type Undone = {
  /** How many approvals were undone: of results, and of the settings. */
  undone: number;
  /** How many requests for changes of the viewer were taken back. */
  withdrawn: number;
  /** How many baseline versions were added, each with the screenshot of an earlier one. */
  restored: number;
};

/** Why it is too late to undo what became a baseline version. Null when it is not. */
function tooLate({ isNewest, isBuiltOn, filePath }: StandingPromotion): string | null {
  if (!isNewest) return REPLACED;
  if (isBuiltOn) return BUILT_ON;
  return filePath === null ? FIRST : null;
}

function buildRestoration(promotion: StandingPromotion, approvedById: string): Promotion[] {
  const { resultId, versionId, version, isNewest: _newest, isBuiltOn: _builtOn, filePath, ...before } = promotion;
  if (filePath === null) return [];
  return [
    {
      ...before,
      atRest: before.atRest ?? false,
      filePath,
      source: 'API',
      approvedById,
      pageResultId: null,
      comparedVersionId: versionId,
      prNumber: null,
      note: `Undid the approval of version ${version}. Restored from version ${version - 1}`,
      restoredVersion: version - 1,
      undoneResultId: resultId,
    },
  ];
}

/**
 * `isNamed`: all or none. `mayBeNone`: it is no failure if it is too late for all of them. `own`: only these of their
 * changes.
 */
type ToUndo = { approved: PageResult[]; isNamed: boolean; mayBeNone?: boolean; own?: OwnSince | null };

/**
 * The approved results whose approval can be undone, with the promotions of those that are baseline versions.
 * @throws AppError conflict `promoted` when it is too late for one of the named results, or for every approved one.
 */
async function findUndoableResults(trx: Db, run: Run, { approved, isNamed, mayBeNone = false }: ToUndo) {
  if (approved.length === 0) return { results: [], promotions: [] };
  const isPast = await hasMergedLater(trx, run);
  const standing = new Map((await findStandingPromotions(trx, run.id)).map((each) => [each.resultId, each]));
  const reason = ({ id }: PageResult) => {
    const promotion = standing.get(id);
    if (promotion === undefined) return isPast ? MERGED_LATER : null;
    return tooLate(promotion);
  };
  const results = approved.filter((result) => reason(result) === null);
  const late = approved.map(reason).find((each) => each !== null);
  if (late !== undefined && (isNamed || (results.length === 0 && !mayBeNone))) throw conflict(late, 'promoted');
  return { results, promotions: results.flatMap(({ id }) => standing.get(id) ?? []) };
}

/** Undoes what can be undone of these approvals, in the caller's transaction, which has locked the run. */
export async function undoApprovals(
  trx: Db,
  run: Run,
  suite: RunFor<'suite.approve'>['suite'],
  measurements: Measurements,
  { own = null, ...toUndo }: ToUndo,
): Promise<{ undone: number; restored: number }> {
  const { results, promotions } = await findUndoableResults(trx, run, toUndo);
  if (results.length === 0) return { undone: 0, restored: 0 };
  const restorations = promotions.flatMap((promotion) => buildRestoration(promotion, suite.viewer.id));
  const restored = await promote(trx, suite, restorations, toActor(suite.viewer), measurements);
  for (const version of restored) await followRestored(trx, run.id, version);
  await unapproveResults(trx, run, results, { viewer: suite.viewer, own });
  // Approved results don't follow their baseline, so this result has to catch up.
  await enqueue(trx, 'follow-baselines', { suiteId: run.testSuiteId });
  return { undone: results.length, restored: restored.length };
}

/** What an undo is to take back alone. Undefined: requests for changes first, then approvals. */
export type Only = 'requests' | 'approvals' | undefined;

/**
 * Takes a decision back (docs/rules.md, The gate). Withdraws the viewer's own requests for changes first: to the named
 * results, or to the run itself. Other named results lose their approval, whoever gave it. Without names, and without a
 * request to the run, all approvals and all of the viewer's requests are taken back. An approval that has become a
 * baseline version is undone by adding the previous version once more, unless a later run was compared with it.
 * @throws AppError invalid for results of another run; conflict when the run is in flight, cancelled or superseded, and
 * conflict `promoted` when it is too late.
 */
export async function undoApproval(
  ctx: MeasureContext,
  { id, suite }: RunFor<'suite.approve'>,
  { resultIds, seen, only }: { resultIds?: string[] | undefined; seen?: Seen; only?: Only },
): Promise<Undone> {
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const run = await lockUndoable(trx, id);
    const { viewer } = suite;
    const chosen = await findChosenResults(trx, run, resultIds);
    const withdrawn = only === 'approvals' ? [] : await withdrawRequests(trx, run, viewer.id, { resultIds, only });
    const keeps = only === 'requests' || (resultIds === undefined && withdrawn.includes(null));
    const approved = keeps ? [] : chosen.filter((result) => result.approved && !withdrawn.includes(result.id));
    const about = approved.map((result) => result.id);
    const settings = resultIds === undefined && !keeps && mayUnapprove(run);
    await assertNotOverruling(trx, run, { seen, viewerId: viewer.id, decision: 'undo', resultIds: about, settings });
    const toUndo = { approved, isNamed: resultIds !== undefined, mayBeNone: settings || withdrawn.length > 0 };
    const done = await undoApprovals(trx, run, suite, measurements, toUndo);
    if (settings) await unapproveSettings(trx, run, viewer);
    if (withdrawn.length > 0) await releaseGate(trx, run, withdrawn, { viewer, decision: 'undo' });
    const all = { ...done, undone: done.undone + (settings ? 1 : 0), withdrawn: withdrawn.length };
    await recordUndo(trx, run, viewer, all);
    return all;
  });
}

/** Whether what the pull request loosens is approved, and that still decides about its merge. */
export const mayUnapprove = (run: Pick<Run, 'settingsHash' | 'settingsApprovedAt' | 'isMerged' | 'isGated'>): boolean =>
  settingsReview(run) === 'APPROVED' && !isInBase(run);

async function withdrawRequests(
  trx: Db,
  run: Run,
  authorId: string,
  { resultIds, only }: { resultIds: string[] | undefined; only: Only },
) {
  if (run.changeRequests === 0) return [];
  if (resultIds !== undefined) return deleteChangeRequests(trx, run.id, { authorId, of: resultIds });
  const ofRun = await deleteChangeRequests(trx, run.id, { authorId, of: 'run' });
  return ofRun.length > 0 || only === 'requests' ? ofRun : deleteChangeRequests(trx, run.id, { authorId, of: 'all' });
}

/**
 * Takes back what the viewer decided after verdict number `seen`, up to `until`, but no other decisions and none of other
 * people: approvals of changes, results and settings, and requests for changes.
 * @throws AppError conflict when the run is in flight, cancelled or superseded, and conflict `promoted` when it is too
 * late.
 */
export async function undoSince(
  ctx: MeasureContext,
  { id, suite }: RunFor<'suite.approve'>,
  { seen, until }: { seen: number; until?: number | undefined },
): Promise<Undone> {
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const run = await lockUndoable(trx, id);
    const { viewer } = suite;
    const authorId = viewer.id;
    const { since, resultIds, wholeRun, settings } = await findOwnSince(trx, id, {
      seen,
      until: until ?? run.verdictNumber,
      viewerId: authorId,
    });
    if (since === null) return { undone: 0, withdrawn: 0, restored: 0 };
    const withdrawn = [
      ...(await deleteChangeRequests(trx, id, { authorId, of: resultIds })),
      ...(wholeRun ? await deleteChangeRequests(trx, id, { authorId, of: 'run' }) : []),
    ];
    const from = new Date(since);
    const own = { at: since, by: authorId };
    const chosen = resultIds.length === 0 ? [] : await findChosenResults(trx, run, resultIds);
    const approved = chosen.filter((result) => result.approvedById === authorId && (result.approvedAt ?? 0) >= from);
    const { undone, restored } = await undoApprovals(trx, run, suite, measurements, { approved, isNamed: true, own });
    const changes = await markChangesUnapproved(trx, resultIds, own);
    if (changes > 0) await insertVerdict(trx, id, { decision: 'undo', authorId, resultIds });
    const isOfSettings = settings && mayUnapprove(run) && run.settingsApprovedById === authorId;
    if (isOfSettings) await unapproveSettings(trx, run, viewer);
    if (withdrawn.length > 0) await releaseGate(trx, run, withdrawn, { viewer, decision: 'undo' });
    const ofOthers = (undone === 0 && changes > 0 ? 1 : 0) + (isOfSettings ? 1 : 0);
    const all = { undone: undone + ofOthers, withdrawn: withdrawn.length, restored };
    await recordUndo(trx, run, viewer, all);
    return all;
  });
}
