import type { Context } from '../../context.ts';
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
