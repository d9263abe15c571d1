import type { Db } from '../db/database.ts';

/** The previews that a person declared to be on other servers than the site, as `previewKind` names them. */
export async function findDifferentServers(db: Db, suiteId: string): Promise<string[]> {
  const row = await db('test_suites').where({ id: suiteId }).first('different_servers');
  return row?.differentServers ?? [];
}

/** False if that was declared before. */
export async function setDifferentServers(db: Db, suiteId: string, kind: string, differ: boolean): Promise<boolean> {
  const changed = await db('test_suites')
    .where({ id: suiteId })
    .whereRaw('(? = any(different_servers)) <> ?', [kind, differ])
    .update({ different_servers: db.raw(`array_${differ ? 'append' : 'remove'}(different_servers, ?)`, [kind]) });
  return changed === 1;
}
