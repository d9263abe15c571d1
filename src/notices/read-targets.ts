import { isAdministrator, requireAdministrator } from '../auth/manage-accounts.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { getWithSuite } from '../suites/read-suite.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { writeBody } from './attempt-delivery.ts';
import { countWaiting, findDeliveries } from './delivery-store.ts';
import { KEPT_DELIVERIES, type Delivery, type Waiting } from './delivery.ts';
import { findTarget, findTargets } from './target-store.ts';
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

/** Targets of the installation are told about all suites. @throws AppError forbidden `not_administrator` */
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

export type ListedTarget = Target & Waiting;

/** With what waits for each. */
export async function addWaiting({ db }: Pick<Context, 'db'>, targets: Target[]): Promise<ListedTarget[]> {
  const ids = targets.map(({ id }) => id);
  const waiting = await countWaiting(db, ids);
  return targets.map((target) => ({ ...target, ...(waiting.get(target.id) ?? { waiting: 0, retryAt: null }) }));
}

export async function listTargets(ctx: Pick<Context, 'db'>, { suiteId }: TargetsOf): Promise<ListedTarget[]> {
  return addWaiting(ctx, await findTargets(ctx.db, suiteId));
}

/** `request`: the body that was or will be sent. */
export type ShownDelivery = Delivery & { request: string };

/** The last deliveries, the newest first. */
export async function listDeliveries({ db }: Pick<Context, 'db'>, target: OwnTarget): Promise<ShownDelivery[]> {
  const deliveries = await findDeliveries(db, target.id, KEPT_DELIVERIES);
  return deliveries.map((delivery) => ({ ...delivery, request: writeBody(target.kind, delivery.message) }));
}
