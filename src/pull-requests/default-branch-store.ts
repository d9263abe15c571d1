import type { Db } from '../db/database.ts';
import type { RepositoryKey } from '../suites/suite.ts';

/** Null until a webhook has named it. Names are in lower case. */
export async function findDefaultBranch(db: Db, { owner, repo }: RepositoryKey): Promise<string | null> {
  const row = await db('repositories').where({ owner, repo }).first('default_branch');
  return row?.defaultBranch ?? null;
}

/** False if it was known already, or if a newer message named another branch. */
export async function saveDefaultBranch(
  db: Db,
  { owner, repo }: RepositoryKey,
  { defaultBranch, toldAt }: { defaultBranch: string; toldAt: Date },
): Promise<boolean> {
  const saved = await db('repositories')
    .insert({ owner, repo, default_branch: defaultBranch, told_at: toldAt })
    .onConflict(['owner', 'repo'])
    .merge(['default_branch', 'told_at', 'updated_at'])
    .whereRaw('repositories.default_branch <> excluded.default_branch and repositories.told_at <= excluded.told_at')
    .returning('id');
  return saved.length === 1;
}

/** The row under the new name is newer. */
export async function renameRepositoryOfDefaultBranch(db: Db, from: RepositoryKey, to: RepositoryKey): Promise<void> {
  const newer = await db('repositories').where({ owner: to.owner, repo: to.repo }).first('id');
  if (newer !== undefined) await db('repositories').where({ owner: from.owner, repo: from.repo }).delete();
  else
    await db('repositories').where({ owner: from.owner, repo: from.repo }).update({ owner: to.owner, repo: to.repo });
}
