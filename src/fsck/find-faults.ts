import type { Context } from '../context.ts';
import { checkChecks } from './check-checks.ts';
import { checkJobs } from './check-jobs.ts';
import { checkObjects } from './check-objects.ts';
import { checkRuns } from './check-runs.ts';
import { checkVersions } from './check-versions.ts';
import type { Fault } from './fault.ts';

type FaultOptions = {
  /** Read every stored object, and not only look whether it is there. */
  images: boolean;
  /** Also the checks of pull requests. Without a GitHub App nobody shows them. */
  checks: boolean;
};

/**
 * Holds the database against itself, and the storage against the database. It only reads, in batches, and the service may
 * run meanwhile: what is about to be put right by a job is no fault.
 */
export async function* findFaults(
  ctx: Pick<Context, 'db' | 'storage' | 'clock'>,
  { images, checks }: FaultOptions,
): AsyncGenerator<Fault> {
  yield* checkVersions(ctx.db);
  yield* checkRuns(ctx.db);
  yield* checkJobs(ctx.db);
  if (checks) yield* checkChecks(ctx.db);
  yield* checkObjects(ctx, { images });
}
