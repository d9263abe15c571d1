import type { Context } from '../../context.ts';
import { removeDeliveries } from './delivery-store.ts';

const KEPT_MS = 30 * 86_400_000;
/** A month of four a minute. GitHub sends nothing again that is older than three days. */
const MOST_KEPT = 200_000;

/** Deletes deliveries that are older than 30 days, and the oldest of too many. */
export async function pruneDeliveries({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await removeDeliveries(db, new Date(clock.now().getTime() - KEPT_MS), MOST_KEPT);
}
