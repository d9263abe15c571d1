import type { Db } from '../db/database.ts';

export type RepositoryName = { owner: string; repo: string };

/** What the rows of a table must not have in common. */
const KEYS = {
  pull_requests: ['number'],
  preview_addresses: ['head_sha', 'source', 'name'],
} as const;

/** Rows that came under the new name before the rename did are newer, and take the place of those under the old name. */
async function moveRows(db: Db, table: keyof typeof KEYS, from: RepositoryName, to: RepositoryName): Promise<void> {
  const keys = KEYS[table];
  await db(`${table} as old`)
    .where({ 'old.owner': from.owner, 'old.repo': from.repo })
    .whereExists((newer) => {
      void newer.from(`${table} as newer`).where({ 'newer.owner': to.owner, 'newer.repo': to.repo });
      for (const key of keys) void newer.where(`newer.${key}`, db.ref(`old.${key}`));
    })
    .delete();
  await db(table)
    .where(from)
    .update({ ...to, updated_at: db.fn.now() });
}

/** Names are in lower case. */
export async function renameRepositoryRows(db: Db, from: RepositoryName, to: RepositoryName): Promise<void> {
  await moveRows(db, 'pull_requests', from, to);
  await moveRows(db, 'preview_addresses', from, to);
}

/** Names of the account's repositories that anything hangs on, by the installation that told of them or is linked. */
export async function findRepositoriesOf(db: Db, installationId: number, owner: string): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { repo: string }[] }>(
    `select codehost_repo as repo from test_suites
       where lower(codehost_owner) = :owner and codehost_installation_id = :installationId
     union select repo from pull_requests where owner = :owner and installation_id = :installationId
     order by repo`,
    { owner: owner.toLowerCase(), installationId },
  );
  return [...new Map(rows.map(({ repo }) => [repo.toLowerCase(), repo])).values()];
}
