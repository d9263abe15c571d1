import type { Db } from '../db/database.ts';

/** @param from in lower case, as it is kept; `to` likewise */
export async function renameRepositoryOfRuns(
  db: Db,
  from: { owner: string; repo: string },
  to: { owner: string; repo: string },
): Promise<void> {
  await db('test_runs')
    .where({ git_owner: from.owner, git_repo: from.repo })
    .update({ git_owner: to.owner, git_repo: to.repo });
}
