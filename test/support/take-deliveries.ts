import type { Context } from '../../src/context.ts';
import { EVENT_TABLE } from '../../src/github/webhooks/event-table.ts';
import { readDelivery, type Delivery } from '../../src/github/webhooks/read-delivery.ts';
import { openDeliveryWriter, storeDelivery } from '../../src/github/webhooks/store-delivery.ts';
import { takeEvents } from '../../src/github/webhooks/take-events.ts';
import { giveUpKey } from '../../src/queue/enqueue.ts';

type TakeContext = Pick<Context, 'db' | 'config' | 'clock' | 'log'>;

/** Does what the job does, which then ends. */
async function take(ctx: TakeContext, subject: string): Promise<void> {
  await giveUpKey(ctx.db, 'take-events', { subject });
  await takeEvents(ctx, { subject });
}

/** Does what the jobs for stored deliveries do, where no worker runs. */
export async function handleDeliveries(ctx: TakeContext): Promise<void> {
  const rows = await ctx
    .db('webhook_deliveries')
    .whereNotNull('subject')
    .whereNull('handled_at')
    .groupBy('subject')
    .orderByRaw('min(sequence)')
    .select('subject');
  for (const { subject } of rows) if (subject !== null) await take(ctx, subject);
}

/** Stores a delivery and handles it. */
export async function takeDelivery(ctx: TakeContext, delivery: Delivery): Promise<void> {
  await storeDelivery(ctx, openDeliveryWriter(ctx.db), delivery);
  const { subject } = readDelivery(delivery, ctx.clock.now());
  if (subject !== null) await take(ctx, subject);
}

/** Handles one event by itself, as if it had been stored. */
export async function handleEvent(ctx: TakeContext, name: string, payload: unknown): Promise<void> {
  const kind = EVENT_TABLE.get(name);
  if (kind === undefined) throw new Error(`Nothing handles ${name}`);
  await ctx.db.transaction((trx) => kind.handle(trx, ctx, [payload]));
}
