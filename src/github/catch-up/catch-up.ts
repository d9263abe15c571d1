import type { Context } from '../../context.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { readCredentials } from '../app/credentials.ts';
import { findDeliveryRound } from './catch-up-store.ts';

/** How often GitHub is asked for deliveries that failed. */
const DELIVERIES_MS = 2 * 60_000;

/** Runs periodically: queues the job that asks GitHub for missed deliveries. A waiting job is not changed. */
export async function catchUp(ctx: Pick<Context, 'config' | 'db' | 'clock' | 'log'>): Promise<void> {
  const credentials = await readCredentials(ctx);
  if (credentials === null) return;
  const round = await findDeliveryRound(ctx.db, credentials.appId);
  if (round !== null && round.checkedAt.getTime() >= ctx.clock.now().getTime() - DELIVERIES_MS) return;
  await enqueue(ctx.db, 'redeliver-missed', {}, { keyMode: 'unsafe_dedupe' });
}
