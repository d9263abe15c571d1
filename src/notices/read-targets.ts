import type { Context } from '../context.ts';
import { writeBody } from './attempt-delivery.ts';
import { countWaiting, findDeliveries } from './delivery-store.ts';
import { KEPT_DELIVERIES, type Delivery, type Waiting } from './delivery.ts';
import type { OwnTarget, TargetsOf } from './get-target.ts';
import { findTargets } from './target-store.ts';
import type { Target } from './target.ts';

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
