import type { Db } from '../db/database.ts';

/** Following twice is no error. */
export async function insertFollows(db: Db, userId: string, suiteIds: readonly string[]): Promise<void> {
  if (suiteIds.length === 0) return;
  const rows = suiteIds.map((id) => ({ user_id: userId, test_suite_id: id }));
  await db('suite_follows').insert(rows).onConflict(['user_id', 'test_suite_id']).ignore();
}

export async function deleteFollow(db: Db, userId: string, suiteId: string): Promise<void> {
  await db('suite_follows').where({ user_id: userId, test_suite_id: suiteId }).delete();
}
