import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { enqueueAll } from '../../queue/enqueue.ts';
import { insertDeliveries, removeDeliveries, type NewDelivery } from './delivery-store.ts';
import { readDelivery, type Delivery } from './read-delivery.ts';

/**
 * Stores deliveries together with the jobs that handle them. Those that were stored before are ignored.
 * @returns the ids of the others
 */
async function writeDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<Set<string>> {
  return inTransaction(db, async (trx) => {
    const added = await insertDeliveries(trx, deliveries);
    const subjects = deliveries.flatMap(({ id, subject }) => (added.has(id) && subject !== null ? [subject] : []));
    // In one order, so that two hosts with events of the same subjects do not wait for each other.
    const payloads = [...new Set(subjects)].toSorted().map((subject) => ({ payload: { subject } }));
    await enqueueAll(trx, 'take-events', payloads);
    return added;
  });
}

/** Stores a delivery. False: it was recorded before. */
type WriteDelivery = (delivery: NewDelivery) => Promise<boolean>;

type Waiting = { delivery: NewDelivery; resolve: (isNew: boolean) => void; reject: (error: unknown) => void };

/** How many deliveries one transaction stores. The largest payloads add up to a few megabytes. */
const MOST_AT_ONCE = 50;

/**
 * Stores everything that arrived during the previous transaction in one transaction. So a burst waits for one or two
 * disk writes instead of many.
 */
export function openDeliveryWriter(db: Db): WriteDelivery {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function writeSome(some: Waiting[]): Promise<void> {
    try {
      const added = await writeDeliveries(
        db,
        some.map(({ delivery }) => delivery),
      );
      for (const { delivery, resolve } of some) resolve(added.has(delivery.id));
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) await writeSome(waiting.splice(0, MOST_AT_ONCE));
    isWriting = false;
  }

  return async (delivery) =>
    new Promise((resolve, reject) => {
      waiting.push({ delivery, resolve, reject });
      if (!isWriting) void writeAll();
    });
}

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

const KEPT_MS = 30 * 86_400_000;
/** Four a minute for a month. GitHub sends nothing again that is older than three days. */
const MOST_KEPT = 200_000;

/** Deletes deliveries that are older than 30 days, and the oldest of too many. */
export async function pruneDeliveries({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await removeDeliveries(db, new Date(clock.now().getTime() - KEPT_MS), MOST_KEPT);
}
