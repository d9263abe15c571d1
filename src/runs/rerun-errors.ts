import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { conflict, notFound } from '../errors.ts';
import { pageAddress } from '../pages/page-identity.ts';
import { parseHttpUrl } from '../suites/suite-input.ts';
import { findSuite } from '../suites/suite-store.ts';
import { formatCount } from '../text/format.ts';
import { lockBuild } from './builds/build-store.ts';
import { appendLogs } from './log/log-store.ts';
import type { RunLogLine } from './log/run-log.ts';
import { openCaptureSlots } from './page-jobs/open-runs.ts';
import { leavePageStates } from './page-results/page-state-store.ts';
import { dropProofs } from './proofs/proof-store.ts';
import { queueCheckUpdate } from './queue-check-update.ts';
import type { RunFor } from './read-run.ts';
import { resetErrors } from './results/reset-error-store.ts';
import { lockRun, moveRun } from './run-store.ts';
import { DECIDABLE, isRerunnable, type Run } from './run.ts';

/**
 * Captures the ERROR results of one page again and overwrites them in place; passing and changed viewports stay. A
 * finished run goes back to RUNNING and finishes again.
 * @returns how many results were queued.
 * @throws AppError invalid; conflict if the address has no ERROR result, the run was cancelled, or the suite is
 * inactive.
 */
export async function rerunErrors(
  ctx: Pick<Context, 'db'>,
  target: RunFor<'suite.run'>,
  input: { url: string },
): Promise<number> {
  const url = parseHttpUrl(input.url, 'url');
  return inTransaction(ctx.db, async (trx) => {
    const run = await lockForRerun(trx, target);
    const paths = await resetErrors(trx, run.id, { url, path: pageAddress(url)?.path ?? url });
    if (paths.length === 0) throw conflict('This page has no results with errors', 'nothing_to_rerun');
    await rerunPages(trx, run, {
      message: `Retrying ${formatCount(paths.length, 'error')} of ${url}`,
      metadata: { url },
    });
    return paths.length;
  });
}

/**
 * Does the same for every page of the run.
 * @throws AppError conflict when the run has no ERROR result or was cancelled, or the suite is inactive.
 */
export async function rerunAllErrors(ctx: Pick<Context, 'db'>, target: RunFor<'suite.run'>): Promise<number> {
  return inTransaction(ctx.db, async (trx) => {
    const queued = await rerunAllFailed(trx, await lockForRerun(trx, target));
    if (queued === 0) throw conflict('This run has no results with errors', 'nothing_to_rerun');
    return queued;
  });
}

/**
 * Does the same for users of the code host, in the caller's transaction. It does not check the viewer's role.
 * @returns how many results were queued; 0 when the run was cancelled, is gone, or has no errors, or its suite is inactive.
 */
export async function rerunEveryError(trx: Db, runId: string): Promise<number> {
  const run = await lockRun(trx, runId);
  if (run === null || !isRerunnable(run.status) || !(await hasFiles(trx, run))) return 0;
  const suite = await findSuite(trx, run.testSuiteId);
  return suite?.isActive === true ? rerunAllFailed(trx, run) : 0;
}

/**
 * Captures pages of a run that were proven unchanged, in the same way.
 * @returns how many pages were queued.
 * @throws AppError conflict when nothing was, the run was cancelled, or the suite is inactive.
 */
export async function renderProven(ctx: Pick<Context, 'db'>, target: RunFor<'suite.run'>): Promise<number> {
  return inTransaction(ctx.db, async (trx) => {
    const run = await lockForRerun(trx, target);
    const paths = await dropProofs(trx, run.id);
    if (paths.length === 0) throw conflict('Nothing in this run was proven unchanged', 'nothing_proven');
    const message = `Capturing ${formatCount(paths.length, 'page')} that had been proven unchanged`;
    await rerunPages(trx, run, { message });
    return paths.length;
  });
}

async function lockForRerun(trx: Db, { id, suite }: RunFor<'suite.run'>): Promise<Run> {
  if (!suite.isActive) throw conflict('The suite is inactive', 'suite_not_active');
  const run = await lockRun(trx, id);
  if (run === null) throw notFound('Run');
  if (!isRerunnable(run.status)) throw conflict('The run was cancelled', 'run_cancelled');
  if (!(await hasFiles(trx, run))) {
    throw conflict(
      'The files of this build were removed to make room for newer ones. Upload it again.',
      'build_expired',
    );
  }
  return run;
}

async function hasFiles(trx: Db, { testSuiteId, buildId }: Run): Promise<boolean> {
  return buildId === null || (await lockBuild(trx, testSuiteId, buildId)) !== null;
}

async function rerunAllFailed(trx: Db, run: Run): Promise<number> {
  const paths = await resetErrors(trx, run.id, null);
  if (paths.length > 0) await rerunPages(trx, run, { message: `Retrying ${formatCount(paths.length, 'error')}` });
  return paths.length;
}

/** Captures the results that are PENDING again. */
async function rerunPages(trx: Db, run: Run, line: Omit<RunLogLine, 'type'>): Promise<void> {
  if (await moveRun(trx, run.id, DECIDABLE, 'RUNNING', { endedAt: null })) await leavePageStates(trx, run);
  await appendLogs(trx, run.id, [{ type: 'SYSTEM', ...line }]);
  await openCaptureSlots(trx, run);
  await queueCheckUpdate(trx, run, 'now');
}
