import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { findSuite } from '../../suites/suite-store.ts';
import type { Judgement } from '../judging/judge-result.ts';
import { appendLogs } from '../log/log-store.ts';
import type { RunLogLine } from '../log/run-log.ts';
import { changePendingResult } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { lockRun } from '../run-store.ts';
import { runTarget } from '../run-target.ts';
import type { Run } from '../run.ts';
import { openSlots } from './slots.ts';

/** Whether the run captures another site than the suite's own. */
async function isOfPreview({ db }: Pick<Context, 'db'>, run: Run): Promise<boolean> {
  const suite = await findSuite(db, run.testSuiteId);
  return suite !== null && !runTarget(suite, run).isOwnSite;
}

/**
 * Has the page captured on the suite's own site as well, if its preview differs and only the site can show why.
 * @returns true when the result is left PENDING until then.
 */
export async function askForControl(
  ctx: Pick<Context, 'db'>,
  run: Run,
  { result, judgement, lines }: { result: PageResult; judgement: Judgement; lines: RunLogLine[] },
): Promise<boolean> {
  const isChange = judgement.status === 'FAIL' && judgement.cause === 'CHANGE';
  if (!isChange || !run.config.control || result.controlState !== null || !(await isOfPreview(ctx, run))) return false;
  return inTransaction(ctx.db, async (trx) => {
    const locked = await lockRun(trx, run.id);
    if (locked?.status !== 'RUNNING') return false;
    if (!(await changePendingResult(trx, result.id, { controlState: 'DUE', isFree: true }))) return false;
    await appendLogs(trx, run.id, lines);
    await openSlots(trx, run, 'capture');
    return true;
  });
}
