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
  for (let from = 0; from < names.length; from += BATCH) {
    const some = names.slice(from, from + BATCH);
    await db('left_objects')
      .where({ test_suite_id: suiteId })
      .where('left_at', '<', before)
      .whereRaw('name = any(?)', [some])
      .delete();
  }
}

/** All that were left, and are not removed yet. */
export async function* findLeftObjects(db: Db, suiteId: string): AsyncGenerator<string[]> {
  let after = '';
  for (;;) {
    const names = await db('left_objects')
      .where({ test_suite_id: suiteId })
      .where('name', '>', after)
      .orderBy('name')
      .limit(BATCH)
      .pluck('name');
    if (names.length > 0) yield names;
    const last = names.at(-1);
    if (last === undefined || names.length < BATCH) return;
    after = last;
  }
}
