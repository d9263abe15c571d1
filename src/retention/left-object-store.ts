import { readBatches, splitIntoBatches } from '../async/batches.ts';
import type { Db } from '../db/database.ts';
import { NAMES_OF_RUN_SQL } from './named-object-store.ts';

const BATCH = 10_000;

/** Writes down what the results of a run name, before they go. */
export async function leaveObjectsOfRun(trx: Db, { runId, now }: { runId: string; now: Date }): Promise<void> {
  await trx.raw(
    `insert into left_objects (test_suite_id, name, left_at)
     select run.test_suite_id, named.name, :now from test_runs as run, (${NAMES_OF_RUN_SQL}) as named where run.id = :runId
     order by named.name
     on conflict (test_suite_id, name) do update set left_at = excluded.left_at`,
    { runId, now },
  );
}

/** `again`: those that were left already stay for another day; otherwise they keep their time. */
export async function leaveObjects(
  trx: Db,
  suiteId: string,
  { names, now, again }: { names: readonly string[]; now: Date; again: boolean },
): Promise<void> {
  if (names.length === 0) return;
  await trx.raw(
    `insert into left_objects (test_suite_id, name, left_at)
     select suite.id, left_ones.name, :now from test_suites as suite cross join (select distinct unnest(:names::text[]) as name) as left_ones
     where suite.id = :suiteId
     on conflict (test_suite_id, name) ${again ? 'do update set left_at = excluded.left_at' : 'do nothing'}`,
    { suiteId, names: [...names], now },
  );
}

/** Those that were left before that time. The oldest ones first. */
export async function findDueObjects(db: Db, suiteId: string, before: Date, most: number): Promise<string[]> {
  return db('left_objects')
    .where({ test_suite_id: suiteId })
    .where('left_at', '<', before)
    .orderBy('left_at')
    .limit(most)
    .pluck('name');
}

/** They are named again, or removed. Not those that were left once more since. */
export async function settleObjects(db: Db, suiteId: string, before: Date, names: readonly string[]): Promise<void> {
  for (const some of splitIntoBatches(BATCH, names)) {
    await db('left_objects')
      .where({ test_suite_id: suiteId })
      .where('left_at', '<', before)
      .whereRaw('name = any(?)', [some])
      .delete();
  }
}

/** All that were left, and are not removed yet. */
export const findLeftObjects = (db: Db, suiteId: string): AsyncGenerator<string[]> =>
  readBatches<string>(BATCH, async (last, limit) =>
    db('left_objects')
      .where({ test_suite_id: suiteId })
      .where('name', '>', last ?? '')
      .orderBy('name')
      .limit(limit)
      .pluck('name'),
  );
