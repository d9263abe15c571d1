import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { endRun } from '../runs/end-run.ts';
import { appendLogs } from '../runs/log/log-store.ts';
import { findRun } from '../runs/run-store.ts';
import type { Run } from '../runs/run.ts';
import { keepSettingsChange } from '../runs/settings-change/keep-settings-change.ts';
import { fillRun } from '../runs/start-run.ts';
import { describeConfigChange } from './check/check-settings.ts';
import { setCheckNotice } from './check/run-check.ts';
import { setPreview } from './previews/preview-search-store.ts';
import type { FoundPreview } from './pull-request-run.ts';
import { NOTHING_TRACKED } from './start-pull-request-run.ts';

/**
 * Starts the captures of a run whose preview was found: adds its results and their capture jobs. This happens once,
 * even if the preview is reported twice.
 * @returns false when the captures had been started already, or the run had ended.
 */
export async function openPullRequestRun(
  ctx: Pick<Context, 'db' | 'clock'>,
  runId: string,
  preview: FoundPreview,
): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    if (!(await setPreview(trx, runId, preview, ctx.clock.now()))) return false;
    const run = await findRun(trx, runId);
    if (run === null) return false;
    const change = run.git?.configChange;
    if (change !== undefined) {
      const message = describeConfigChange(change, run.git?.baseBranch).join(' ');
      await appendLogs(trx, run.id, [{ type: 'WARNING', message, metadata: { ...change } }]);
    }
    const settings = preview.own?.settings ?? null;
    if (settings !== null) await keepSettingsChange(trx, run.id, settings);
    if (!(await fillRun(trx, run, settings?.looks))) await endEmpty(trx, ctx, run);
    // Removes the notice about the wait for a preview.
    await setCheckNotice(trx, run, null);
    return true;
  });
}

async function endEmpty(trx: Db, ctx: Pick<Context, 'clock'>, run: Run): Promise<void> {
  await endRun(trx, ctx, run, {
    from: ['PENDING'],
    to: 'COMPLETED',
    metadata: { reason: 'no_tracked_pages', error: NOTHING_TRACKED },
    line: { type: 'INFO', message: NOTHING_TRACKED, progress: 100 },
  });
}
