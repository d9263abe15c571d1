import type { Db } from '../db/database.ts';

/** Which previews a person has said to be on other servers than the site, as `previewKind` names them. */
export async function findDifferentServers(db: Db, suiteId: string): Promise<string[]> {
  const row = await db('test_suites').where({ id: suiteId }).first('different_servers');
  return row?.differentServers ?? [];
}

/** False when it was said before. */
export async function addDifferentServers(db: Db, suiteId: string, kind: string): Promise<boolean> {
  const changed = await db('test_suites')
    .where({ id: suiteId })
    .whereRaw('not ? = any(different_servers)', [kind])
    .update({ different_servers: db.raw('array_append(different_servers, ?)', [kind]) });
  return changed === 1;
}

/** False when it was not said. */
export async function removeDifferentServers(db: Db, suiteId: string, kind: string): Promise<boolean> {
  const changed = await db('test_suites')
    .where({ id: suiteId })
    .whereRaw('? = any(different_servers)', [kind])
    .update({ different_servers: db.raw('array_remove(different_servers, ?)', [kind]) });
  return changed === 1;
}
