import type { Permission } from '../access/role.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import type { SuiteFor, SuiteForViewer } from '../suites/suite.ts';
import { findResult, findResults } from './result-store.ts';
import type { PageResult } from './result.ts';
import type { Run } from './run.ts';
import { findRun } from './run-store.ts';

const authorised: unique symbol = Symbol('authorised');

/** A run that was authorised for a request, with its suite. Only `getRunFor` makes it. */
export type RunFor<P extends Permission = Permission> = Run & {
  readonly suite: SuiteFor<P>;
  readonly [authorised]: true;
};

/**
 * Loads and authorises in one step, once a request: readers and use cases take what it gives.
 * @throws AppError not_found, also for a run of a suite that the viewer may not read; forbidden.
 */
export async function getRunFor<P extends Permission>(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: P,
): Promise<RunFor<P>> {
  const run = await findRun(ctx.db, id);
  if (run === null) throw notFound('Run');
  const suite = await getSuiteFor(ctx, viewer, run.testSuiteId, permission);
  return { ...run, suite, [authorised]: true };
}

/** A result with the run that it is of. */
export type ResultFor<P extends Permission = Permission> = PageResult & { readonly run: RunFor<P> };

/** @throws AppError not_found, also for a result of a suite that the viewer may not read; forbidden. */
export async function getResultFor<P extends Permission>(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: P,
): Promise<ResultFor<P>> {
  const result = await findResult(ctx.db, id);
  if (result === null) throw notFound('Result');
  return { ...result, run: await getRunFor(ctx, viewer, result.testRunId, permission) };
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

/** A run with every result, in the order of paths and viewports. */
export type RunDetail = { run: Run; suite: SuiteForViewer; results: PageResult[] };

export async function readRun({ db }: Pick<Context, 'db'>, run: RunFor): Promise<RunDetail> {
  return { run, suite: run.suite, results: await findResults(db, run.id) };
}
