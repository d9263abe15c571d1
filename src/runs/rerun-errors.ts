import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { conflict, notFound } from '../errors.ts';
import { pageAddress } from '../pages/page-identity.ts';
import { parseHttpUrl } from '../suites/base-url.ts';
import { appendLogs } from './log-store.ts';
import { queueCaptures } from './queue-captures.ts';
import { getRunFor } from './read-run.ts';
import { resetErrors } from './result-store.ts';
import { lockRun, moveRun } from './run-store.ts';
import { tellCheck } from './tell-check.ts';

/**
 * Takes the ERROR results of one page again and overwrites them in place; passing and changed viewports stay. A
 * finished run goes back to RUNNING and finishes anew.
 * @returns how many results were queued.
 * @throws AppError not_found, forbidden, invalid; conflict when nothing under the address is ERROR, or the run was
 * cancelled.
 */
export async function rerunErrors(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  runId: string,
  input: { url: string },
): Promise<number> {
  await getRunFor(ctx, viewer, runId, 'suite.run');
  const url = parseHttpUrl(input.url, 'url');
  return inTransaction(ctx.db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (run === null) throw notFound('The test run');
    if (run.status === 'CANCELLED') throw conflict('The test run was cancelled', 'run_cancelled');
    const paths = await resetErrors(trx, runId, { url, path: pageAddress(url)?.path ?? url });
    if (paths.length === 0) throw conflict('No result of this page ended in an error', 'nothing_to_rerun');
    await moveRun(trx, runId, ['COMPLETED', 'FAILED'], 'RUNNING', { endedAt: null });
    await appendLogs(trx, runId, [
      { type: 'SYSTEM', message: `Rerunning ${paths.length} errors of ${url}`, metadata: { url } },
    ]);
    await queueCaptures(trx, run, [...new Set(paths)]);
    await tellCheck(trx, run, 'now');
    return paths.length;
  });
}
