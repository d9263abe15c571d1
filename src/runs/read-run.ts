import { setTimeout as sleep } from 'node:timers/promises';
import { requireOwnRun } from '../access/authorized.ts';
import { may, type Permission } from '../access/role.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { getWithSuite } from '../suites/read-suite.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { findResult } from './results/result-store.ts';
import type { PageResult } from './results/result.ts';
import { findRun, findRunStatus } from './run-store.ts';
import { isDecidable, isInFlight, isRerunnable, type FoundRun, type RunStatus } from './run.ts';

const authorized: unique symbol = Symbol('authorized');

/** A run that the viewer may use, with its suite. Only `getRunFor` makes it. */
export type RunFor<P extends Permission = Permission> = FoundRun & {
  readonly suite: SuiteFor<P>;
  readonly [authorized]: true;
};

/** Whether the viewer may decide what the run shows. */
export const mayDecide = ({ suite, status }: RunFor): boolean =>
  isDecidable(status) && may(suite.access.role, 'suite.approve');

/** Whether the viewer may capture the run's errors again. */
export const mayRerun = ({ suite, status }: RunFor): boolean =>
  suite.isActive && isRerunnable(status) && may(suite.access.role, 'suite.run');

/**
 * Loads and authorizes a run in one step, once per request. Readers and use cases take its result as a parameter.
 * @throws AppError not_found, also for a run of a suite that the viewer may not read; forbidden.
 */
export async function getRunFor<P extends Permission>(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: P,
): Promise<RunFor<P>> {
  return authorizeRun(ctx, viewer, await findRun(ctx.db, id), { what: 'Run', permission });
}

async function authorizeRun<P extends Permission>(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  run: FoundRun | null,
  asked: { what: string; permission: P },
): Promise<RunFor<P>> {
  const { found, suite } = await getWithSuite(ctx, viewer, run, asked);
  // A workflow may read any run of the suite, but cancel and repeat only its own.
  if (asked.permission === 'suite.run') requireOwnRun(viewer, found);
  return { ...found, suite, [authorized]: true };
}

/** A result with its run. */
export type ResultFor<P extends Permission = Permission> = PageResult & { readonly run: RunFor<P> };

/** @throws AppError not_found, also for a result of a suite that the viewer may not read; forbidden. */
export async function getResultFor<P extends Permission>(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: P,
): Promise<ResultFor<P>> {
  const result = await findResult(ctx.db, id);
  const found = result && (await findRun(ctx.db, result.testRunId));
  const run = await authorizeRun(ctx, viewer, found, { what: 'Result', permission });
  if (result === null) throw notFound('Result');
  return { ...result, run };
}

/** @throws AppError not_found, also for a result of another run. */
export async function readResult<P extends Permission>(
  { db }: Pick<Context, 'db'>,
  run: RunFor<P>,
  id: string,
): Promise<ResultFor<P>> {
  const result = await findResult(db, id);
  if (result?.testRunId !== run.id) throw notFound('Result');
  return { ...result, run };
}

/** Clients and proxies give up after a minute. */
export const MOST_WAIT_SECONDS = 45;
const LOOK_MS = 1_000;

/** How many requests of one process wait. Each looks once a second; one more is answered at once. */
const MOST_WAITING = 100;

let waiting = 0;

/** Returns when the run has ended, or after these seconds, or when the client has left. */
export async function waitForRun(
  { db }: Pick<Context, 'db'>,
  run: { id: string; status: RunStatus },
  seconds: number,
  gone: AbortSignal,
): Promise<void> {
  if (!isInFlight(run.status) || waiting >= MOST_WAITING) return;
  waiting += 1;
  try {
    for (let left = seconds * 1000; left > 0; left -= LOOK_MS) {
      await sleep(Math.min(LOOK_MS, left), undefined, { signal: gone });
      const status = await findRunStatus(db, run.id);
      if (status === null || !isInFlight(status)) return;
    }
  } catch (error) {
    if (!gone.aborted) throw error;
  } finally {
    waiting -= 1;
  }
}
