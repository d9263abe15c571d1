import type { Db } from '../db/database.ts';

type Follow = { userId: string; suiteId: string };

/** Following twice is no error. */
export async function insertFollow(db: Db, { userId, suiteId }: Follow): Promise<void> {
  await db('suite_follows')
    .insert({ user_id: userId, test_suite_id: suiteId })
    .onConflict(['user_id', 'test_suite_id'])
    .ignore();
}

export async function deleteFollow(db: Db, { userId, suiteId }: Follow): Promise<void> {
  await db('suite_follows').where({ user_id: userId, test_suite_id: suiteId }).delete();
}
