import type { Context } from '../context.ts';
import { checkObjects } from './check-objects.ts';
import { checkRuns } from './check-runs.ts';
import type { Fault } from './fault.ts';
import { checkInvariants } from './invariant-store.ts';
import { findSuiteIds } from './run-counts-store.ts';

type FaultOptions = {
  /** Read every stored object, and not only look whether it is there. */
  images: boolean;
  /** Also the checks of pull requests. Without a GitHub App nobody shows them. */
  checks: boolean;
};

/**
 * Checks, suite by suite, whether the database agrees with itself and with the storage. It only reads. The service may
 * run meanwhile: what a job is about to correct is no fault.
 */
export async function* findFaults(
  ctx: Pick<Context, 'db' | 'storage' | 'clock'>,
  { images, checks }: FaultOptions,
): AsyncGenerator<Fault> {
  const suiteIds = await findSuiteIds(ctx.db);
  for (const id of suiteIds) {
    yield* checkInvariants(ctx.db, id);
    yield* checkRuns(ctx.db, id, checks);
  }
  yield* checkObjects(ctx, suiteIds, { images });
}
