import type { Db } from '../../db/database.ts';

/** The time until which GitHub wants no requests for the installation. Null: it never asked for a pause. */
export async function findPause(db: Db, installationId: number): Promise<Date | null> {
  const row = await db('github_pauses').where({ installation_id: installationId }).first('until');
  return row?.until ?? null;
}

/** Keeps the later of the two times: answers to concurrent requests arrive in any order. */
export async function extendPause(db: Db, installationId: number, until: Date): Promise<void> {
  await db('github_pauses')
    .insert({ installation_id: installationId, until })
    .onConflict('installation_id')
    .merge({ until: db.raw('greatest(github_pauses.until, excluded.until)') });
}
