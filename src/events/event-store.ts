import type { Db } from '../db/database.ts';
import { json } from '../db/json.ts';
import type { ListPart } from '../db/list-part.ts';
import type { Row } from '../db/row.ts';
import type { Actor, EventFilter, EventPlace, NewEvent, RecordedEvent } from './event.ts';

const COLUMNS = [
  'id',
  'at',
  'kind',
  'actor_kind',
  'actor_id',
  'actor_name',
  'actor_via',
  'address',
  'suite_id',
  'run_id',
  'details',
] as const;

const toRecorded = ({
  actorKind,
  actorId: id,
  actorName,
  actorVia,
  address,
  ...event
}: Row<'events'>): RecordedEvent => ({
  ...event,
  actor: { kind: actorKind, id, name: actorName, via: actorVia, address },
});

/** Returns the event's number. It grows in the order of the calls, not in that in which their transactions end. */
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
  return row.id;
}

/** @param text null: the comment is deleted */
export async function changeCommentText(db: Db, runId: string, comment: string, text: string | null): Promise<void> {
  await db('events')
    .where({ run_id: runId, kind: 'comment.created' })
    .whereRaw(`details ->> 'comment' = ?`, [comment])
    .update({ details: db.raw(`details || jsonb_build_object('text', ?::text)`, [text]) });
}

/** Null when it is no longer kept. */
export async function findEvent(db: Db, id: number): Promise<RecordedEvent | null> {
  const row = await db('events').where({ id }).first(COLUMNS);
  return row === null ? null : toRecorded(row);
}

/** Those that are still kept. */
export async function findEventsById(db: Db, ids: readonly number[]): Promise<RecordedEvent[]> {
  return (await db('events').whereIn('id', ids).select(COLUMNS)).map(toRecorded);
}

/** Newest first. */
export async function findEvents(
  db: Db,
  { suiteId, runId, kind, kinds, actorId, from, to }: EventFilter & { kinds?: readonly string[] },
  { limit, after }: ListPart<EventPlace>,
): Promise<RecordedEvent[]> {
  const query = db('events').orderBy('id', 'desc').limit(limit).select(COLUMNS);
  if (suiteId !== undefined) void query.where({ suite_id: suiteId });
  if (runId !== undefined) void query.where({ run_id: runId });
  if (kind !== undefined) void query.where({ kind });
  if (kinds !== undefined) void query.whereIn('kind', kinds);
  if (actorId !== undefined) void query.where({ actor_id: actorId });
  if (from !== undefined) void query.where('at', '>=', from);
  if (to !== undefined) void query.where('at', '<', to);
  if (after !== null) void query.where('id', '<', after[0]);
  return (await query).map(toRecorded);
}

/** How many sign-ins failed since then, at most `most`. */
export async function countFailures(db: Db, since: Date, most: number): Promise<number> {
  const failures = db('events').where({ kind: 'sign_in.failed' }).where('at', '>', since);
  return (await failures.limit(most).select('id')).length;
}

/** Whether drift is recorded of the run. */
export async function hasDriftEvent(db: Db, runId: string): Promise<boolean> {
  return (await db('events').where({ run_id: runId, kind: 'drift.found' }).first('id')) !== null;
}

/** Removes at most `most` of the oldest events from before the time. @returns how many */
export async function removeEvents(db: Db, before: Date, most: number): Promise<number> {
  const oldest = db('events').where('at', '<', before).orderBy('at').limit(most).select('id');
  return db('events').whereIn('id', oldest).delete();
}
