import { toColumns } from '../../db/camel-case.ts';
import type { Db } from '../../db/database.ts';
import type { SelectedRow } from '../../db/query.ts';
import type { Attempt } from './missed-delivery.ts';

const ROUND_COLUMNS = [
  // Everything before this time has been checked.
  'complete_until',
  // When it last looked, and why it could not look at everything (null: it could).
  'checked_at',
  'problem',
] as const;

type DeliveryRound = SelectedRow<'delivery_rounds', typeof ROUND_COLUMNS>;

export async function findDeliveryRound(db: Db, appId: number): Promise<DeliveryRound | null> {
  return db('delivery_rounds').where({ app_id: appId }).first(ROUND_COLUMNS);
}

export async function saveDeliveryRound(db: Db, appId: number, round: DeliveryRound): Promise<void> {
  const columns = toColumns(round);
  await db('delivery_rounds')
    .insert({ app_id: appId, ...columns })
    .onConflict('app_id')
    .merge(columns);
}

/** Deliveries that are already known as missed are not changed. */
export async function addMissed(db: Db, missed: readonly Attempt[]): Promise<void> {
  if (missed.length === 0) return;
  await db('missed_deliveries')
    .insert(
      missed.map(({ guid, id, event, deliveredAt }) => ({
        id: guid,
        attempt_id: id,
        event,
        delivered_at: deliveredAt,
      })),
    )
    .onConflict('id')
    .ignore();
}

export type MissedDelivery = { id: string; attemptId: number; event: string };

/** Deliveries that GitHub was not yet asked to send again, oldest first, without those that have arrived since. */
export async function findUnasked(db: Db, most: number): Promise<MissedDelivery[]> {
  return db('missed_deliveries')
    .whereNull('asked_at')
    .whereNotExists(db('webhook_deliveries').where({ 'webhook_deliveries.id': db.ref('missed_deliveries.id') }))
    .orderBy('delivered_at')
    .limit(most)
    .select('id', 'attempt_id', 'event');
}

/** When GitHub was last asked for a redelivery. Null: never, as far as is known. */
export async function findLastAsked(db: Db): Promise<Date | null> {
  const row = await db('missed_deliveries').whereNotNull('asked_at').orderBy('asked_at', 'desc').first('asked_at');
  return row?.askedAt ?? null;
}

/** False if another job was faster. GitHub is asked once for each. */
export async function claimMissed(db: Db, id: string, at: Date): Promise<boolean> {
  return (await db('missed_deliveries').where({ id }).whereNull('asked_at').update({ asked_at: at })) === 1;
}

/** Undoes the mark, because GitHub was not asked after all. */
export async function releaseMissed(db: Db, id: string): Promise<void> {
  await db('missed_deliveries').where({ id }).update({ asked_at: null });
}

export async function removeMissedBefore(db: Db, time: Date): Promise<void> {
  await db('missed_deliveries').where('delivered_at', '<', time).delete();
}
