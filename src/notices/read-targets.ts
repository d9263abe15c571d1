import type { Context } from '../context.ts';
import { writeBody } from './attempt-delivery.ts';
import type { Delivery } from './delivery.ts';
import { KEPT_DELIVERIES } from './delivery.ts';
import { countWaiting, findDeliveries } from './delivery-store.ts';
import type { OwnTarget, TargetsOf } from './get-target.ts';
import type { Target } from './target.ts';
import { findTargets } from './target-store.ts';

/** `waiting`: how many messages it did not get yet. */
export type ListedTarget = Target & { waiting: number };

export async function listTargets({ db }: Pick<Context, 'db'>, { suiteId }: TargetsOf): Promise<ListedTarget[]> {
  const targets = await findTargets(db, suiteId);
  const waiting = await countWaiting(
    db,
    targets.map(({ id }) => id),
  );
  return targets.map((target) => ({ ...target, waiting: waiting.get(target.id) ?? 0 }));
}

/** `request`: the body that was or will be sent. */
export type ShownDelivery = Delivery & { request: string };

/** The last deliveries, the newest first. */
export async function listDeliveries({ db }: Pick<Context, 'db'>, target: OwnTarget): Promise<ShownDelivery[]> {
  const deliveries = await findDeliveries(db, target.id, KEPT_DELIVERIES);
  return deliveries.map((delivery) => ({ ...delivery, request: writeBody(target.kind, delivery.message) }));
}
