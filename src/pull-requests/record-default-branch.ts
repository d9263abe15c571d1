import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { RepositoryKey } from '../suites/repository-key.ts';
import { findDefaultBranch, saveDefaultBranch } from './default-branch-store.ts';

/** Stores a repository's default branch from a webhook. If it has changed, gates and configurations are updated. */
export async function recordDefaultBranch(
  trx: Db,
  { owner, repo }: RepositoryKey,
  told: { defaultBranch: string; toldAt: Date },
): Promise<void> {
  // Nearly every webhook names it, and it hardly ever changes.
  if ((await findDefaultBranch(trx, { owner, repo })) === told.defaultBranch) return;
  if (!(await saveDefaultBranch(trx, { owner, repo }, told))) return;
  await enqueue(trx, 'gate-pull-requests', { owner, repo });
  await enqueue(trx, 'read-config-file', { owner, repo });
}
