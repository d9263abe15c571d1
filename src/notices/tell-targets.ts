import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import type { RecordedEvent } from '../events/event.ts';
import { enqueueAll } from '../queue/enqueue.ts';
import { boundDeliveries, insertDeliveries } from './delivery-store.ts';
import { isFailure } from './message.ts';
import { readMessage } from './read-message.ts';
import { findListeners } from './target-store.ts';

/** Programs and channels that listen to the suite of an event, or to the installation. */
export async function tellTargets(trx: Db, event: RecordedEvent, config: Pick<Config, 'publicUrl'>): Promise<void> {
  const failed = isFailure(event.kind, { ...event.details });
  const found = await findListeners(trx, event.kind, event.suiteId);
  const ids = found.filter(({ tells }) => tells === 'ALWAYS' || failed).map(({ id }) => id);
  if (ids.length === 0) return;
  await insertDeliveries(trx, ids, `event_${event.id}`, await readMessage(trx, config, event));
  for (const id of ids) await boundDeliveries(trx, id);
  await enqueueAll(
    trx,
    'send-deliveries',
    ids.map((targetId) => ({ payload: { targetId } })),
  );
}
