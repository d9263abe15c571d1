import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import { isTold } from './event-kind.ts';
import { insertEvent } from './event-store.ts';
import type { Actor, NewEvent } from './event.ts';

/**
 * Records what happened, and has it told to whoever wants to hear of it. `trx` is the transaction of the change itself, so
 * that neither is stored without the others.
 */
export async function recordEvent(trx: Db, actor: Actor, event: NewEvent): Promise<void> {
  const eventId = await insertEvent(trx, actor, event);
  if (isTold(event.kind)) await enqueue(trx, 'tell-event', { eventId });
}
