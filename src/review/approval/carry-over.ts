import type { Db } from '../../db/database.ts';
import { CLOCK } from '../../events/event.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { appendLogs } from '../../runs/log/log-store.ts';
import { aboutRun } from '../../runs/run-name.ts';
import type { Run } from '../../runs/run.ts';
import { formatCount } from '../../text/format.ts';
import { markChangesUnapproved } from '../changes/change-group-store.ts';
import { carryChangeRequests, markChangeRequests } from '../verdicts/change-request-store.ts';
import { carryApprovals, carrySettingsApproval } from './approval-store.ts';
import { carryCountedChanges, dropRefused } from './counted-store.ts';
import { queuePromotionForRun } from './review-gate.ts';

/**
 * Approves results whose screenshot was already approved in the same pull request and compared with the same baseline, so
 * that a push that does not change them needs no new approval (docs/rules.md, The gate). What a person counted as a change
 * still is one. Another attempt at the same head also repeats the requests for changes of the previous one.
 * @param mergedInto other pull requests of the repository whose decisions count as well: those merged into its branch.
 * @returns how many decisions were carried over.
 */
export async function carryOverApprovals(trx: Db, run: Run, mergedInto: readonly number[] = []): Promise<number> {
  if (run.runType !== 'PR') return 0;
  const counted = await carryCountedChanges(trx, run.id, mergedInto);
  if (counted > 0) {
    const message = `Counted ${formatCount(counted, 'difference')} as changes, as somebody did earlier in this pull request or in one merged into it`;
    await appendLogs(trx, run.id, [{ type: 'SYSTEM', message, metadata: { countedAsChange: counted } }]);
  }
  if ((await carryChangeRequests(trx, run.id)) > 0) await markChangeRequests(trx, run.id);
  const settings = await carrySettingsApproval(trx, run.id, mergedInto);
  if (settings) {
    const message = 'Approved the settings that were approved earlier in this pull request or in one merged into it';
    await appendLogs(trx, run.id, [{ type: 'SYSTEM', message, metadata: { settings: true } }]);
  }
  const refused = await dropRefused(trx, run.id, mergedInto);
  if (refused.length > 0) {
    await markChangesUnapproved(trx, refused);
    // Approved results don't follow their baselines, so these have to catch up.
    await enqueue(trx, 'follow-baselines', { suiteId: run.testSuiteId });
    const message = `Took back the approval of ${formatCount(refused.length, 'screenshot')}: changes were requested since, elsewhere in this pull request`;
    await appendLogs(trx, run.id, [{ type: 'SYSTEM', message, metadata: { refused: refused.length } }]);
  }
  const carried = await carryApprovals(trx, run.id, mergedInto);
  if (carried === 0 && !settings) return counted + refused.length;
  await recordEvent(trx, CLOCK, { kind: 'review.carried_over', ...aboutRun(run, { results: carried, settings }) });
  if (carried === 0) return counted + refused.length + 1;
  await appendLogs(trx, run.id, [
    {
      type: 'SYSTEM',
      message: `Approved ${formatCount(carried, 'screenshot')} that were approved earlier in this pull request or in one merged into it`,
      metadata: { carriedOver: carried },
    },
  ]);
  await queuePromotionForRun(trx, run.id);
  return counted + refused.length + carried + (settings ? 1 : 0);
}
