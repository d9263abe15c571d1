import type { Db } from '../../db/database.ts';
import type { CommitKey } from '../../pull-requests/pull-request-run.ts';
import type { RepositoryKey } from '../../suites/repository-key.ts';

type PreviewSource = 'DEPLOYMENT' | 'STATUS';

/** What a deployment or status of a commit said. `name` is its environment or context. */
export type PreviewSighting = CommitKey & { source: PreviewSource; name: string; url: string | null };

export type SeenPreview = { source: PreviewSource; name: string; url: string | null; updatedAt: Date };

/** False when the same was recorded before. The row keeps its first time. */
export async function upsertPreview(db: Db, seen: PreviewSighting, at: Date): Promise<boolean> {
  const { rows } = await db.raw(
    `insert into preview_addresses (owner, repo, head_sha, source, name, url, created_at, updated_at)
     values (:owner, :repo, :headSha, :source, :name, :url, :at, :at)
     on conflict on constraint preview_addresses_key do update set url = excluded.url, updated_at = excluded.updated_at
     where preview_addresses.url is distinct from excluded.url
     returning id`,
    { ...seen, at },
  );
  return rows.length === 1;
}

/** Newest first. */
export async function findPreviews(db: Db, { owner, repo, headSha }: CommitKey): Promise<SeenPreview[]> {
  return db('preview_addresses')
    .where({ owner, repo, head_sha: headSha })
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .select('source', 'name', 'url', 'updated_at');
}

/** The newest preview of any commit of the repository. Names are in lower case. */
export async function findLastPreview(
  db: Db,
  { owner, repo }: Pick<CommitKey, 'owner' | 'repo'>,
): Promise<SeenPreview | null> {
  const row = await db('preview_addresses')
    .where({ owner, repo })
    .orderBy('updated_at', 'desc')
    .first('source', 'name', 'url', 'updated_at');
  return row ?? null;
}

/**
 * Keeps those of the heads of open pull requests, which can be run again at any time. Returns the number of removed
 * rows.
 */
export async function removePreviewsBefore(db: Db, before: Date): Promise<number> {
  return db('preview_addresses')
    .where('preview_addresses.updated_at', '<', before)
    .whereNotExists(
      db('pull_requests').where({
        'pull_requests.state': 'OPEN',
        'pull_requests.owner': db.ref('preview_addresses.owner'),
        'pull_requests.repo': db.ref('preview_addresses.repo'),
        'pull_requests.head_sha': db.ref('preview_addresses.head_sha'),
      }),
    )
    .delete();
}

/** Rows that arrived under the new name before the rename are newer. They replace the rows under the old name. */
export async function renameRepositoryOfPreviews(db: Db, from: RepositoryKey, to: RepositoryKey): Promise<void> {
  await db('preview_addresses')
    .where(from)
    .whereExists(
      db('preview_addresses as newer').where({
        'newer.owner': to.owner,
        'newer.repo': to.repo,
        'newer.head_sha': db.ref('preview_addresses.head_sha'),
        'newer.source': db.ref('preview_addresses.source'),
        'newer.name': db.ref('preview_addresses.name'),
      }),
    )
    .delete();
  await db('preview_addresses')
    .where(from)
    .update({ ...to, updated_at: db.fn.now() });
}
