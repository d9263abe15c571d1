import type { Db } from '../db/database.ts';
import { json } from '../db/json.ts';
import type { Actor, NewEvent } from './event.ts';

/** Answers the event's number. Later events have greater ones, but not those of transactions that end later. */
export async function insertEvent(db: Db, actor: Actor, event: NewEvent): Promise<number> {
  const [row] = await db('events')
    .insert({
      kind: event.kind,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      actor_via: actor.via,
      address: actor.address,
      suite_id: event.suiteId ?? null,
      run_id: event.runId ?? null,
      details: json(event.details),
    })
    .returning('id');
  if (row === undefined) throw new Error('An event was not stored');
  return row.id;
}
