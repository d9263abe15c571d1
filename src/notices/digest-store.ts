import { z } from 'zod';
import { readRows, type Db } from '../db/database.ts';
import { assignedSql } from '../runs/assignees/assignee-sql.ts';
import { APPROVERS_SQL } from '../suites/readable-sql.ts';
import { HEARS, USUAL_CHOICE } from './choice.ts';
import { TELLS } from './target.ts';

/**
 * People who follow the suite of an event, may read it and sign in, and did not cause the event (docs/rules.md, Who may
 * do what). This is read again when the mail is sent: by then a comment may be deleted, or a run reviewed or assigned to
 * somebody else. `reviews`: the run waits for this person: one it is assigned to, or, if there is none, any reviewer.
 */
const LISTENERS_SQL = `
  select event.id as event_id, suite.id as suite_id, suite.name as suite_name, person.id as user_id,
    coalesce(follow.hears, digest.hears, '${USUAL_CHOICE.hears}') as hears,
    coalesce(follow.tells, digest.tells, '${USUAL_CHOICE.tells}') as tells,
    exists (select from test_runs as waiting where waiting.id = event.run_id and waiting.review_state = 'PENDING')
      and (granted.id is null or granted.role in (${APPROVERS_SQL})) and coalesce((
      select bool_or(assigned.user_id = follow.user_id) from ${assignedSql('assigned.test_run_id = event.run_id')}
    ), true) as reviews,
    coalesce(event.details -> 'assigned' @> jsonb_build_array(jsonb_build_object('id', person.id)), false) and exists (
      select from ${assignedSql('assigned.test_run_id = event.run_id and assigned.user_id = follow.user_id')}
    ) as is_asked,
    exists (select from comments where test_run_id = event.run_id and author_id = person.id)
      or exists (select from verdicts where test_run_id = event.run_id and author_id = person.id) as takes_part
  from events as event
  join test_suites as suite on suite.id = event.suite_id
  join suite_follows as follow on follow.test_suite_id = suite.id
  join users as person on person.id = follow.user_id
  left join digests as digest on digest.user_id = person.id
  left join test_suite_grants as granted on granted.test_suite_id = suite.id and granted.principal_type = 'USER'
    and granted.principal_id = person.id and suite.user_id <> person.id
  where (suite.user_id = person.id or granted.id is not null) and person.disabled_at is null
    and person.id is distinct from event.actor_id
    -- A deleted comment has no text any more.
    and event.details -> 'text' is distinct from 'null'::jsonb`;

/** Somebody who may be told of an event. */
const Listener = z.object({
  eventId: z.number(),
  suiteId: z.string(),
  suiteName: z.string(),
  userId: z.string(),
  hears: z.enum(HEARS),
  tells: z.enum(TELLS),
  reviews: z.boolean(),
  isAsked: z.boolean(),
  takesPart: z.boolean(),
});

type Listener = z.infer<typeof Listener>;

export async function findListenersTo(db: Db, eventId: number): Promise<Listener[]> {
  const sql = `${LISTENERS_SQL} and event.id = :eventId order by person.id`;
  return readRows(db, Listener, sql, { eventId });
}

/** Of these events, those that a person may be told of now. The oldest first. */
export async function findListened(db: Db, userId: string, eventIds: readonly number[]): Promise<Listener[]> {
  const sql = `${LISTENERS_SQL} and person.id = :userId and event.id = any(:eventIds) order by event.id`;
  return readRows(db, Listener, sql, { userId, eventIds: [...eventIds] });
}

/** An event waits only once. */
export async function insertWaiting(db: Db, eventId: number, userIds: readonly string[]): Promise<void> {
  await db('digest_events')
    .insert(userIds.map((userId) => ({ user_id: userId, event_id: eventId })))
    .onConflict(['user_id', 'event_id'])
    .ignore();
}

/** The oldest first. */
export async function findWaiting(db: Db, userId: string, limit: number): Promise<number[]> {
  return db('digest_events').where({ user_id: userId }).orderBy('event_id').limit(limit).pluck('event_id');
}

/** @param eventIds null: everything that waits for the person */
export async function removeWaiting(db: Db, userId: string, eventIds: readonly number[] | null): Promise<void> {
  const query = db('digest_events').where({ user_id: userId });
  await (eventIds === null ? query : query.whereIn('event_id', eventIds)).delete();
}

/** `dueAt`: nothing is sent before. Null: at once. `attempts`: how often the next digest failed. */
export type NextDigest = { dueAt: Date | null; attempts: number };

export async function findNextDigest(db: Db, userId: string): Promise<NextDigest> {
  const row = await db('digests').where({ user_id: userId }).first('due_at', 'attempts');
  return row ?? { dueAt: null, attempts: 0 };
}

export async function saveNextDigest(
  db: Db,
  userId: string,
  { dueAt, attempts }: { dueAt: Date; attempts: number },
): Promise<void> {
  const next = { user_id: userId, due_at: dueAt, attempts };
  await db('digests').insert(next).onConflict('user_id').merge(next);
}
