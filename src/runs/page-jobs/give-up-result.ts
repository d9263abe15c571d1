import type { Context } from '../../context.ts';
import { findResult } from '../results/result-store.ts';
import { endWithout } from './capture-control.ts';
import { settleResult } from './settle-result.ts';

const WHY = 'the worker failed on every attempt';

/** Ends a result whose page failed at every attempt, so that the run can end. */
export async function giveUpResult(ctx: Pick<Context, 'db' | 'clock' | 'log'>, id: string): Promise<void> {
  const result = await findResult(ctx.db, id);
  if (result?.status !== 'PENDING') return;
  const { testRunId: runId, path, viewport, currentFile, controlState } = result;
  ctx.log.error({ runId, path, viewport }, 'gave up a page');
  if (controlState === 'DUE') return endWithout(ctx, result, WHY);
  const what = currentFile === null ? 'The page could not be captured' : 'The screenshots could not be compared';
  await settleResult(ctx, result, { status: 'ERROR', error: `${what} because ${WHY}` });
}
