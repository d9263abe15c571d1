import type { Db } from '../db/database.ts';

/** The previews that a person declared to be on other servers than the site, as `previewKind` names them. */
export async function findDifferentServers(db: Db, suiteId: string): Promise<string[]> {
  const row = await db('test_suites').where({ id: suiteId }).first('different_servers');
  return row?.differentServers ?? [];
}

/** False if it was declared before. */
export async function addDifferentServers(db: Db, suiteId: string, kind: string): Promise<boolean> {
  const changed = await db('test_suites')
    .where({ id: suiteId })
    .whereRaw('not ? = any(different_servers)', [kind])
    .update({ different_servers: db.raw('array_append(different_servers, ?)', [kind]) });
  return changed === 1;
}

/** False if it was not declared. */
export async function removeDifferentServers(db: Db, suiteId: string, kind: string): Promise<boolean> {
  const changed = await db('test_suites')
    .where({ id: suiteId })
    .whereRaw('? = any(different_servers)', [kind])
    .update({ different_servers: db.raw('array_remove(different_servers, ?)', [kind]) });
  return changed === 1;
}
