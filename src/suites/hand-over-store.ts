import type { Db } from '../db/database.ts';

/** The new owner. Answers the ids of the suites that had the old one. */
export async function moveSuites(
  trx: Db,
  { from, to, suiteId }: { from: string; to: string; suiteId: string | null },
): Promise<string[]> {
  const query = trx('test_suites').where({ user_id: from });
  if (suiteId !== null) void query.where({ id: suiteId });
  const moved = await query.update({ user_id: to, updated_at: trx.fn.now() }).returning('id');
  return moved.map(({ id }) => id);
}

/** The new owner follows them, as an owner does from the start. */
export async function followSuites(trx: Db, userId: string, suiteIds: readonly string[]): Promise<void> {
  if (suiteIds.length === 0) return;
  const rows = suiteIds.map((id) => ({ user_id: userId, test_suite_id: id }));
  await trx('suite_follows').insert(rows).onConflict(['user_id', 'test_suite_id']).ignore();
}

/** By name, with how many there are. */
export async function listOwned(db: Db, userId: string, limit: number): Promise<{ id: string; name: string }[]> {
  return db('test_suites').where({ user_id: userId }).orderByRaw('lower(name), id').limit(limit).select('id', 'name');
}
