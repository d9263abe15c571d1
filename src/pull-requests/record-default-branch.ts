import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { RepositoryKey } from '../suites/repository-key.ts';
import { findDefaultBranch, saveDefaultBranch } from './default-branch-store.ts';

/** Takes a repository's default branch from a webhook. When it is another one, gates and configurations follow it. */
export async function recordDefaultBranch(
  trx: Db,
  { owner, repo }: RepositoryKey,
  told: { defaultBranch: string; toldAt: Date },
): Promise<void> {
  // Nearly every webhook tells it, and nearly none tells a new one.
  if ((await findDefaultBranch(trx, { owner, repo })) === told.defaultBranch) return;
  if (!(await saveDefaultBranch(trx, { owner, repo }, told))) return;
  await enqueue(trx, 'gate-pull-requests', { owner, repo });
  await enqueue(trx, 'read-config-file', { owner, repo });
}
