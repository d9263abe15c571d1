import type { Db } from '../db/database.ts';
import { computed } from '../db/computed.ts';

export type Person = { id: string; name: string };

const NAME = 'coalesce(users.name, users.email)';

export async function findPeople(db: Db, ids: string[]): Promise<Person[]> {
  return db('users')
    .whereIn('id', ids)
    .select('id', computed(db, 'name', 'text', NAME));
}

/** Those who began the newest runs of the suite, by name; more runs are not read. */
export async function findStarters(db: Db, suiteId: string, runs: number): Promise<Person[]> {
  return db('users')
    .whereRaw(
      `id in (select started_by from (
         select started_by from test_runs where test_suite_id = ? order by created_at desc, id desc limit ?
       ) as newest)`,
      [suiteId, runs],
    )
    .orderByRaw(`lower(${NAME}), id`)
    .limit(100)
    .select('id', computed(db, 'name', 'text', NAME));
}
