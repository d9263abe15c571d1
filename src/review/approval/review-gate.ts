import { personName, toActor, type Viewer } from '../../auth/user.ts';
import type { Db } from '../../db/database.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { queueJudgementsOfSame } from '../../runs/judging/queue-judgement.ts';
import { appendLogs } from '../../runs/log/log-store.ts';
import { updateReviewState } from '../../runs/outcome.ts';
import { queueCheckUpdate } from '../../runs/queue-check-update.ts';
import type { PageResult } from '../../runs/results/result.ts';
import { aboutRun } from '../../runs/run-name.ts';
import { findGateOfRun, findPullRequestKey, lockRun } from '../../runs/run-store.ts';
import { isDecidable, type Run } from '../../runs/run.ts';
import { formatCount } from '../../text/format.ts';
import { namePlace } from '../../text/readable-path.ts';
import { markChangesUnapproved, type OwnSince } from '../changes/change-group-store.ts';
import { markChangeRequests, saveChangeRequests } from '../verdicts/change-request-store.ts';
import { insertVerdict } from '../verdicts/verdict-store.ts';
import {
  findCarriedOver,
  markApproved,
  markSettingsApproved,
  markSettingsUnapproved,
  markUnapproved,
} from './approval-store.ts';

/**
 * After a decision, updates the run's review gate, log and check.
 * @param changed results whose outcome it changed
 */
export async function settleGate(
  trx: Db,
  run: Run,
  viewer: Viewer,
  message: string,
  metadata: Record<string, unknown>,
  changed: PageResult[] = [],
): Promise<void> {
  const paths = changed.map(({ path }) => path);
  const reviewState = await updateReviewState(trx, run, { paths, actor: toActor(viewer) });
  await appendLogs(trx, run.id, [{ type: 'SYSTEM', message, metadata: { ...metadata, reviewState } }]);
  await queueCheckUpdate(trx, run, 'now');
}

/**
 * After a decision. It may come before or after the merge, and also about an earlier run of the pull request. After the
 * merge, this job promotes at once (docs/rules.md, Baselines).
 */
export async function queuePromotionForRun(trx: Db, runId: string): Promise<void> {
  const pullRequest = await findPullRequestKey(trx, runId);
  if (pullRequest !== null) await enqueue(trx, 'promote-pull-request', pullRequest);
}

const listIds = (results: PageResult[]) => results.map((result) => result.id);

/** Marks the results as approved by the viewer. */
export async function approveResults(
  trx: Db,
  run: Run,
  results: PageResult[],
  { viewer, note = null }: { viewer: Viewer; note?: string | null },
): Promise<void> {
  const resultIds = listIds(results);
  await markApproved(trx, resultIds, viewer.id);
  await insertVerdict(trx, run.id, { decision: 'approve', note, authorId: viewer.id, resultIds });
  const message = `${formatCount(results.length, 'result')} approved by ${personName(viewer)}`;
  await settleGate(trx, run, viewer, message, { approvedById: viewer.id, results: results.length }, results);
}

/** Marks what the run's pull request loosens as approved by the viewer. */
export async function approveSettings(
  trx: Db,
  run: Run,
  { viewer, note }: { viewer: Viewer; note: string | null },
): Promise<void> {
  await markSettingsApproved(trx, run.id, viewer.id);
  await queuePromotionForRun(trx, run.id);
  await insertVerdict(trx, run.id, { decision: 'approve', note, authorId: viewer.id, resultIds: [], settings: true });
  await settleGate(trx, run, viewer, `Settings approved by ${personName(viewer)}`, { approvedById: viewer.id });
}

/**
 * Closes the gates of other runs that shared an approval with one in which it was undone. What moved while it stood is
 * judged later.
 */
async function settleOthers(trx: Db, runIds: readonly string[], viewer: Viewer): Promise<void> {
  for (const runId of [...new Set(runIds)].toSorted()) {
    const run = await lockRun(trx, runId);
    if (run === null) continue;
    if (isDecidable(run.status)) await updateReviewState(trx, run, { actor: toActor(viewer) });
    await queueCheckUpdate(trx, run, 'now');
    await enqueue(trx, 'judge-run', { runId });
  }
}

/** Undoes that approval, whoever gave it, and also where it was carried over to another run. */
export async function unapproveSettings(trx: Db, run: Run, viewer: Viewer): Promise<void> {
  const everywhere = await markSettingsUnapproved(trx, run.id);
  const others = everywhere.filter((id) => id !== run.id);
  await settleOthers(trx, others, viewer);
  const verdict = { decision: 'undo' as const, authorId: viewer.id, resultIds: [], settings: true };
  await insertVerdict(trx, run.id, verdict);
  await settleGate(trx, run, viewer, `Approval of the settings undone by ${personName(viewer)}`, {
    undoneById: viewer.id,
  });
}

/**
 * Undoes the approval of the results, whoever approved them, and also where it was carried over to another run.
 * @param own the only approvals of their changes to undo
 */
export async function unapproveResults(
  trx: Db,
  run: Run,
  results: PageResult[],
  { viewer, own = null }: { viewer: Viewer; own?: OwnSince | null },
): Promise<void> {
  const resultIds = listIds(results);
  const carried = await findCarriedOver(trx, resultIds);
  const everywhere = [...resultIds, ...carried.map(({ id }) => id)];
  await markUnapproved(trx, everywhere);
  await markChangesUnapproved(trx, everywhere, own);
  const others = carried.map(({ testRunId }) => testRunId);
  await settleOthers(trx, others, viewer);
  await insertVerdict(trx, run.id, { decision: 'undo', authorId: viewer.id, resultIds });
  await queueJudgementsOfSame(trx, run, resultIds);
  const message = `${formatCount(results.length, 'approval')} undone by ${personName(viewer)}`;
  await settleGate(trx, run, viewer, message, { undoneById: viewer.id, results: results.length }, results);
}

/** Requests changes to the results, or to the run itself. */
export async function holdGate(
  trx: Db,
  run: Run,
  results: PageResult[] | null,
  { viewer, note }: { viewer: Viewer; note: string },
): Promise<void> {
  const resultIds = results && listIds(results);
  await saveChangeRequests(trx, run.id, { authorId: viewer.id, resultIds, note });
  await insertVerdict(trx, run.id, { decision: 'request_changes', note, authorId: viewer.id, resultIds });
  await markChangeRequests(trx, run.id);
  await queuePromotionForRun(trx, run.id);
  await queueJudgementsOfSame(trx, run, resultIds);
  const [only] = results ?? [];
  const what =
    results === null || only === undefined
      ? ''
      : results.length === 1
        ? ` to ${namePlace(only)}`
        : ` to ${formatCount(results.length, 'result')}`;
  const message = `Changes${what} requested by ${personName(viewer)}: ${note}`;
  await settleGate(trx, run, viewer, message, { requestedById: viewer.id, results: results?.length ?? 0 });
}

/** Updates the gate after requests of the viewer were withdrawn. `resultIds`: as returned by `deleteChangeRequests`. */
export async function releaseGate(
  trx: Db,
  run: Run,
  resultIds: readonly (string | null)[],
  { viewer, decision }: { viewer: Viewer; decision: 'approve' | 'undo' },
): Promise<void> {
  const ofResults = resultIds.filter((id) => id !== null);
  if (ofResults.length > 0) {
    await insertVerdict(trx, run.id, { decision, authorId: viewer.id, resultIds: ofResults });
  }
  if (resultIds.includes(null)) {
    await insertVerdict(trx, run.id, { decision, authorId: viewer.id, resultIds: null });
  }
  await markChangeRequests(trx, run.id);
  // A merge left out approved results to which changes were requested.
  await queuePromotionForRun(trx, run.id);
  await queueJudgementsOfSame(trx, run, resultIds.includes(null) ? null : ofResults);
  const message = `${formatCount(resultIds.length, 'request')} for changes withdrawn by ${personName(viewer)}`;
  await settleGate(trx, run, viewer, message, { releasedById: viewer.id, results: ofResults.length });
}

/** What one decision approved. */
export type ApprovedParts = {
  results?: number;
  changes?: number;
  versions?: number;
  settings?: boolean;
  note?: string | null | undefined;
};

/** Records what a person approved at once, after everything else that the decision does to the gate. */
export async function recordApproval(trx: Db, run: Run, viewer: Viewer, approved: ApprovedParts): Promise<void> {
  const { results = 0, changes = 0, versions = 0, settings = false, note = null } = approved;
  if (results + changes === 0 && !settings) return;
  const { reviewState } = await findGateOfRun(trx, run.id);
  const details = { results, changes, versions, settings, note, reviewState };
  await recordEvent(trx, toActor(viewer), { kind: 'review.approved', ...aboutRun(run, details) });
}

/** Records what a person took back at once. */
export async function recordUndo(
  trx: Db,
  run: Run,
  viewer: Viewer,
  { undone, withdrawn, restored }: { undone: number; withdrawn: number; restored: number },
): Promise<void> {
  if (undone + withdrawn === 0) return;
  const details = { approvals: undone, requests: withdrawn, versions: restored };
  await recordEvent(trx, toActor(viewer), { kind: 'review.undone', ...aboutRun(run, details) });
}
