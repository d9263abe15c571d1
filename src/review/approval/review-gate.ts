import type { Viewer } from '../../auth/viewer.ts';
import type { Db } from '../../db/database.ts';
import { formatCount } from '../../text/format.ts';
import { markApproved, markUnapproved } from './approval-store.ts';
import { markChangesUnapproved } from '../changes/change-group-store.ts';
import { appendLogs } from '../../runs/log/log-store.ts';
import { updateReviewState } from '../../runs/review-state.ts';
import type { PageResult } from '../../runs/results/result.ts';
import type { Run } from '../../runs/run.ts';
import { queueCheckUpdate } from '../../runs/queue-check-update.ts';

/** After a change of the results, updates the run's review gate (contract 7.3), log and check. */
export async function settleGate(trx: Db, run: Run, message: string, metadata: Record<string, unknown>): Promise<void> {
  const reviewState = await updateReviewState(trx, run.id);
  await appendLogs(trx, run.id, [{ type: 'SYSTEM', message, metadata: { ...metadata, reviewState } }]);
  await queueCheckUpdate(trx, run, 'now');
}

const listIds = (results: PageResult[]) => results.map((result) => result.id);

/** Marks the results as approved by the viewer. */
export async function approveResults(trx: Db, run: Run, results: PageResult[], viewer: Viewer): Promise<void> {
  await markApproved(trx, listIds(results), viewer.id);
  const message = `${formatCount(results.length, 'result')} approved by ${viewer.name ?? viewer.email}`;
  await settleGate(trx, run, message, { approvedById: viewer.id, results: results.length });
}

/** Undoes the approval of the results, whoever approved them. */
export async function unapproveResults(trx: Db, run: Run, results: PageResult[], viewer: Viewer): Promise<void> {
  await markUnapproved(trx, listIds(results));
  await markChangesUnapproved(trx, listIds(results));
  const message = `${formatCount(results.length, 'approval')} undone by ${viewer.name ?? viewer.email}`;
  await settleGate(trx, run, message, { undoneById: viewer.id, results: results.length });
}
