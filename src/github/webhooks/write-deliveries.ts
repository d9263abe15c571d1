import type { Db } from '../../db/database.ts';
import { insertDeliveries } from './delivery-store.ts';
import type { NewDelivery } from './delivery-store.ts';

/** Stores a delivery. False: it was recorded before. */
export type WriteDelivery = (delivery: NewDelivery) => Promise<boolean>;

type Waiting = { delivery: NewDelivery; resolve: (isNew: boolean) => void; reject: (error: unknown) => void };

/** In one statement. The largest payloads come to some megabytes. */
const MOST_AT_ONCE = 50;

/**
 * Stores what came while the statement before ran in one statement. So a burst waits for one or two writes to the disk,
 * however slow they are, and not for one after another.
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
