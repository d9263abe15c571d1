import type { Db } from '../db/database.ts';
import type { ListPart } from '../db/list-part.ts';
import type { RecordedEvent } from '../events/event.ts';
import type { EventFilter, EventPlace } from './audit.ts';

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
  return (await query).map(({ actorKind, actorId: id, actorName, actorVia, address, ...event }) => ({
    ...event,
    actor: { kind: actorKind, id, name: actorName, via: actorVia, address },
  }));
}
