import type { Permission } from '../access/role.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import type { SuiteForViewer } from '../suites/suite.ts';
import { findResults } from './result-store.ts';
import type { PageResult } from './result.ts';
import type { Run } from './run.ts';
import { findRun } from './run-store.ts';

export type RunDetail = { run: Run; suite: SuiteForViewer; results: PageResult[] };

/** @throws AppError not_found, also for a run of a suite that the viewer may not read; forbidden. */
export async function getRunFor(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: Permission,
): Promise<{ run: Run; suite: SuiteForViewer }> {
  const run = await findRun(ctx.db, id);
  if (run === null) throw notFound('Run');
  return { run, suite: await getSuiteFor(ctx, viewer, run.testSuiteId, permission) };
}

/** The run with every result, in the order of paths and viewports. */
export async function readRun(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: Permission,
): Promise<RunDetail> {
  const { run, suite } = await getRunFor(ctx, viewer, id, permission);
  return { run, suite, results: await findResults(ctx.db, id) };
}
