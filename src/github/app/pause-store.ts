import type { Db } from '../../db/database.ts';

/** Until when GitHub wants no requests for the installation; null when it never said so. */
export async function findPause(db: Db, installationId: number): Promise<Date | null> {
  const row = await db('github_pauses')
    .where({ installation_id: installationId })
    .first<{ until: Date } | undefined>('until');
  return row?.until ?? null;
}

/** Keeps the later of two: answers to requests that ran beside each other come in any order. */
export async function extendPause(db: Db, installationId: number, until: Date): Promise<void> {
  await db('github_pauses')
    .insert({ installation_id: installationId, until })
    .onConflict('installation_id')
    .merge({ until: db.raw('greatest(github_pauses.until, excluded.until)') });
}
