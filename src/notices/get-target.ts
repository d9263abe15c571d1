import { isAdministrator, requireAdministrator } from '../auth/administrators.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { getWithSuite } from '../suites/read-suite.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { findTarget } from './target-store.ts';
import type { Target } from './target.ts';

const allowed: unique symbol = Symbol('allowed');

type Allowed = { readonly viewer: Viewer; readonly [allowed]: true };

/** Whose targets the viewer may read and change: those of a suite, or (null) of the installation. */
export type TargetsOf = Allowed & { readonly suiteId: string | null };

export type OwnTarget = Target & Allowed;

export const targetsOfSuite = ({ id, viewer }: SuiteFor<'suite.targets'>): TargetsOf => ({
  suiteId: id,
  viewer,
  [allowed]: true,
});

/** Targets of the installation hear of all suites. @throws AppError forbidden `not_administrator` */
export async function targetsOfInstallation(ctx: Pick<Context, 'db'>, viewer: Viewer): Promise<TargetsOf> {
  await requireAdministrator(ctx, viewer);
  return { suiteId: null, viewer, [allowed]: true };
}

/** One of these targets. @throws AppError not_found */
export async function getTargetAmong(
  { db }: Pick<Context, 'db'>,
  { suiteId, viewer }: TargetsOf,
  id: string,
): Promise<OwnTarget> {
  const target = await findTarget(db, id);
  if (target === null || target.testSuiteId !== suiteId) throw notFound('Target');
  return { ...target, viewer, [allowed]: true };
}

/** @throws AppError not_found, also for those who may not see the suite; forbidden. */
export async function getTarget(ctx: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<OwnTarget> {
  const target = await findTarget(ctx.db, id);
  if (target === null) throw notFound('Target');
  const { testSuiteId } = target;
  if (testSuiteId === null) {
    if (!(await isAdministrator(ctx, viewer))) throw notFound('Target');
  } else {
    await getWithSuite(ctx, viewer, { testSuiteId }, { what: 'Target', permission: 'suite.targets' });
  }
  return { ...target, viewer, [allowed]: true };
}
