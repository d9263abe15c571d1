import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { enqueueAll } from '../../queue/enqueue.ts';
import { insertDeliveries } from './delivery-store.ts';
import { readDelivery, type Delivery } from './read-delivery.ts';

/**
 * Stores events that were read from GitHub's API as if they had been delivered, with the jobs that handle them. Events
 * that were stored before are ignored.
 * @throws AppError invalid, when a payload does not fit its event.
 */
export async function storePolled(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  deliveries: readonly Delivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => ({ ...readDelivery(delivery, clock.now()), polled: true }));
  await inTransaction(db, async (trx) => {
    const added = await insertDeliveries(trx, rows);
    const subjects = new Set(rows.flatMap(({ id, subject }) => (added.has(id) && subject !== null ? [subject] : [])));
    await enqueueAll(
      trx,
      'take-events',
      [...subjects].map((subject) => ({ payload: { subject } })),
    );
  });
}
