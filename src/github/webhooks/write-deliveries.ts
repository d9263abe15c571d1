import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { enqueueAll } from '../../queue/enqueue.ts';
import { insertDeliveries, type NewDelivery } from './delivery-store.ts';

/**
 * Stores deliveries together with the jobs that handle them. Those that were stored before are ignored.
 * @returns the ids of the others
 */
export async function writeDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<Set<string>> {
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
export type WriteDelivery = (delivery: NewDelivery) => Promise<boolean>;

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
