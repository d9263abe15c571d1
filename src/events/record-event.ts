import type { Db } from '../db/database.ts';
import type { Actor, NewEvent } from './event.ts';
import { insertEvent } from './event-store.ts';

/** Records what happened. `trx` is the transaction of the change itself, so that neither is stored without the other. */
export async function recordEvent(trx: Db, actor: Actor, event: NewEvent): Promise<void> {
  await insertEvent(trx, actor, event);
}
