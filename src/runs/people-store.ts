import { computed } from '../db/computed.ts';
import type { Db } from '../db/database.ts';
import { partSql } from './run-list-store.ts';
import type { RunScope } from './run-list.ts';

export type Person = { id: string; name: string };

const NAME = 'coalesce(users.name, users.email)';

export async function findPeople(db: Db, ids: string[]): Promise<Person[]> {
  return db('users')
    .whereRaw('id = any(?)', [ids])
    .select('id', computed(db, 'name', 'text', NAME));
}

/** The people who started the newest runs of the scope, by name. Only a limited number of runs is read. */
export async function findStarters(db: Db, scope: RunScope, runs: number): Promise<Person[]> {
  const [newest, bindings] = partSql(scope, {}, { limit: runs, offset: 0, after: null });
  return db('users')
    .whereRaw(`id in (select started_by from test_runs where id in (select id from (${newest}) as newest))`, bindings)
    .orderByRaw(`lower(${NAME}), id`)
    .limit(100)
    .select('id', computed(db, 'name', 'text', NAME));
}
