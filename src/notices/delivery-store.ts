import { toColumns } from '../db/camel-case.ts';
import { computed, type Db } from '../db/database.ts';
import { json } from '../db/json.ts';
import {
  DELIVERY_COLUMNS,
  KEPT_DELIVERIES,
  MOST_WAITING,
  type Attempt,
  type Delivery,
  type DeliveryState,
  type Waiting,
} from './delivery.ts';
import type { Message } from './message.ts';

/** A target that has the message already gets it no second time. */
export async function insertDeliveries(
  db: Db,
  targetIds: readonly string[],
  messageId: string,
  message: Message,
): Promise<void> {
  await db('target_deliveries')
    .insert(targetIds.map((id) => ({ target_id: id, message_id: messageId, message: json(message) })))
    .onConflict(['target_id', 'message_id'])
    .ignore();
}

/** What the target gets next. Null: nothing waits. */
export async function findNextDelivery(db: Db, targetId: string): Promise<Delivery | null> {
  return db('target_deliveries').where({ target_id: targetId, state: 'WAITING' }).orderBy('id').first(DELIVERY_COLUMNS);
}

/** The newest first. */
export async function findDeliveries(db: Db, targetId: string, limit: number): Promise<Delivery[]> {
  return db('target_deliveries')
    .where({ target_id: targetId })
    .orderBy('id', 'desc')
    .limit(limit)
    .select(DELIVERY_COLUMNS);
}

/** How many messages wait for each of these targets, and when one that failed is sent again. */
export async function countWaiting(db: Db, targetIds: readonly string[]): Promise<Map<string, Waiting>> {
  const rows = await db('target_deliveries')
    .whereIn('target_id', targetIds)
    .where({ state: 'WAITING' })
    .groupBy('target_id')
    .select(
      'target_id',
      computed(db, 'waiting', 'bigint', 'count(*)'),
      computed(db, 'retry_at', 'timestamptz or null', 'min(due_at) filter (where attempts > 0)'),
    );
  return new Map(rows.map(({ targetId, waiting, retryAt }) => [targetId, { waiting, retryAt }]));
}

export async function saveAttempt(
  db: Db,
  id: number,
  { tookMs, status, answer, error }: Attempt,
  next: { state: DeliveryState; dueAt: Date; triedAt: Date },
): Promise<void> {
  await db('target_deliveries')
    .where({ id, state: 'WAITING' })
    .update({ ...toColumns({ tookMs, status, answer, error, ...next }), attempts: db.raw('attempts + 1') });
}

/** Gives up what waits for a target. */
export async function giveUpWaiting(db: Db, targetId: string, error: string): Promise<void> {
  await db('target_deliveries').where({ target_id: targetId, state: 'WAITING' }).update({ state: 'GIVEN_UP', error });
}

/** From now on, the waits are as those of a new message. False: there is no such delivery. */
export async function sendDeliveryAgain(db: Db, targetId: string, id: number): Promise<boolean> {
  const again = { state: 'WAITING', attempts: 0, due_at: db.fn.now() } as const;
  return (await db('target_deliveries').where({ id, target_id: targetId }).update(again)) === 1;
}

/** Everything that waits is due. */
export async function hurryDeliveries(db: Db, targetId: string): Promise<void> {
  await db('target_deliveries').where({ target_id: targetId, state: 'WAITING' }).update({ due_at: db.fn.now() });
}

/** Gives up the oldest of too many that wait, and removes the oldest of too many that don't. */
export async function boundDeliveries(db: Db, targetId: string): Promise<void> {
  const beyond = (count: number, states: DeliveryState[]) =>
    db('target_deliveries')
      .where({ target_id: targetId })
      .whereIn('state', states)
      .orderBy('id', 'desc')
      .offset(count)
      .select('id');
  await db('target_deliveries')
    .whereIn('id', beyond(MOST_WAITING, ['WAITING']))
    .update({ state: 'GIVEN_UP', error: `More than ${MOST_WAITING} messages wait for this target` });
  await db('target_deliveries')
    .whereIn('id', beyond(KEPT_DELIVERIES, ['SENT', 'GIVEN_UP']))
    .delete();
}
