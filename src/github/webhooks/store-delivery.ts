import type { Context } from '../../context.ts';
import { readDelivery, type Delivery } from './read-delivery.ts';
import { writeDeliveries, type WriteDelivery } from './write-deliveries.ts';

/**
 * Stores a delivery, with the job that handles it. Once this resolves, it will be handled, even if the process ends now.
 * A repeated delivery changes nothing, even at the same moment (docs/rules.md, The code host).
 * @throws AppError invalid, when the payload does not fit its event. Then nothing is stored.
 */
export async function storeDelivery(
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  write: WriteDelivery,
  delivery: Delivery,
): Promise<void> {
  const row = readDelivery(delivery, clock.now());
  const isNew = await write(row);
  const { id, event, action, repository } = row;
  log.info({ delivery: id, event, action, repository, isNew }, 'delivery accepted');
}

/**
 * Stores events that were read from GitHub's API as if they had been delivered.
 * @throws AppError invalid, when a payload does not fit its event.
 */
export async function storePolled(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  deliveries: readonly Delivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => ({ ...readDelivery(delivery, clock.now()), polled: true }));
  await writeDeliveries(db, rows);
}
