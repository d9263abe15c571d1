import type { Context } from '../../src/context.ts';
import { findWaitingSubjects } from '../../src/github/webhooks/delivery-store.ts';
import { EVENT_TABLE } from '../../src/github/webhooks/event-table.ts';
import type { Delivery } from '../../src/github/webhooks/read-delivery.ts';
import { storeDelivery } from '../../src/github/webhooks/store-delivery.ts';
import { takeEvents } from '../../src/github/webhooks/take-events.ts';
import { openDeliveryWriter } from '../../src/github/webhooks/write-deliveries.ts';

type TakeContext = Pick<Context, 'db' | 'config' | 'clock' | 'log'>;

/** After every delivery, also by the clock of a service process, which may be milliseconds ahead of the test's. */
const ALL = new Date('9999-01-01');

/** Does what the jobs for stored deliveries do, where no worker runs. */
export async function handleDeliveries(ctx: TakeContext): Promise<void> {
  for (const subject of await findWaitingSubjects(ctx.db, ALL, 10_000)) await takeEvents(ctx, { subject });
}

/** Stores a delivery and handles it. */
export async function takeDelivery(ctx: TakeContext, delivery: Delivery): Promise<void> {
  const subject = await storeDelivery(ctx, openDeliveryWriter(ctx.db), delivery);
  if (subject !== null) await takeEvents(ctx, { subject });
}

/** Handles one event by itself, as if it had been stored. */
export async function handleEvent(ctx: TakeContext, name: string, payload: unknown): Promise<void> {
  const kind = EVENT_TABLE.get(name);
  if (kind === undefined) throw new Error(`Nothing handles ${name}`);
  await ctx.db.transaction((trx) => kind.handle(trx, ctx, [payload]));
}
