import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { enqueueAll } from '../../queue/enqueue.ts';
import { insertDeliveries } from './delivery-store.ts';
import { readDelivery, type Delivery } from './read-delivery.ts';
import type { WriteDelivery } from './write-deliveries.ts';

/**
 * Stores a delivery. Once this resolves, it will be handled, even if the process ends now. A repeated delivery changes
 * nothing, even at the same moment (docs/rules.md, The code host).
 * @returns the subject whose events are to be handled; null when there is nothing to do.
 * @throws AppError invalid, when the payload does not fit its event. Then nothing is stored.
 */
export async function storeDelivery(
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  write: WriteDelivery,
  delivery: Delivery,
): Promise<string | null> {
  const row = readDelivery(delivery, clock.now());
  const isNew = await write(row);
  const { id, event, action, repository } = row;
  log.info({ delivery: id, event, action, repository, isNew }, 'delivery accepted');
  return isNew ? row.subject : null;
}

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
