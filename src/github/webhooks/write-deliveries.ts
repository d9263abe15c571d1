import type { Db } from '../../db/database.ts';
import { insertDeliveries, type NewDelivery } from './delivery-store.ts';

/** Stores a delivery. False: it was recorded before. */
export type WriteDelivery = (delivery: NewDelivery) => Promise<boolean>;

type Waiting = { delivery: NewDelivery; resolve: (isNew: boolean) => void; reject: (error: unknown) => void };

/** How many deliveries one statement stores. The largest payloads add up to a few megabytes. */
const MOST_AT_ONCE = 50;

/**
 * Stores everything that arrived during the previous statement in one statement. So a burst waits for one or two disk
 * writes instead of many.
 */
export function openDeliveryWriter(db: Db): WriteDelivery {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function writeSome(some: Waiting[]): Promise<void> {
    try {
      const added = await insertDeliveries(
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
