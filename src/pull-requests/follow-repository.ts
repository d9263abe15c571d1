import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import { linkedSuites } from '../suites/linked-suites.ts';
import { renameLinkedRepository } from '../suites/suite-store.ts';
import { toRepositoryKey, type RepositoryKey, type RepositoryName } from '../suites/suite.ts';
import { endRuns, startRuns } from './follow-pull-request.ts';
import { followBase, startLeftOutRuns } from './gate-pull-requests.ts';
import { renameRepositoryOfRuns, setHead, setMerged } from './pull-request-run-store.ts';
import {
  findDefaultBranch,
  findPullRequests,
  lockPullRequests,
  moveBase,
  renameRepositoryOfDefaultBranch,
  renameRepositoryOfPullRequests,
  saveDefaultBranch,
} from './pull-request-store.ts';

/**
 * Moves links, runs and pull requests to the repository's new name and owner. Events of its pull requests may have come
 * under the new name before this one, when no suite had that name; their runs are started or ended now.
 * @param to.installationId null keeps the stored one
 */
export async function moveRepository(
  trx: Db,
  ctx: Pick<Context, 'clock' | 'config'>,
  from: RepositoryName,
  to: RepositoryName & { installationId: number | null },
): Promise<void> {
  const [fromKey, toKey] = [toRepositoryKey(from), toRepositoryKey(to)];
  // In one order, so that two renames do not wait for each other. Events under the old name may still be handled.
  const nameOf = ({ owner, repo }: RepositoryKey) => `${owner}/${repo}`;
  const keys = [fromKey, toKey].toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  for (const key of keys) await lockPullRequests(trx, key);
  const early = await findPullRequests(trx, toKey);
  await renameLinkedRepository(trx, from, to);
  await renameRepositoryOfRuns(trx, fromKey, toKey);
  await renameRepositoryOfPullRequests(trx, fromKey, toKey);
  await renameRepositoryOfDefaultBranch(trx, fromKey, toKey);
  const suites = await linkedSuites({ db: trx, config: ctx.config }, to);
  for (const pullRequest of early) {
    // Its runs, which had the old name, have the head and the base of then.
    await setHead(trx, pullRequest);
    const hasNewBase = await followBase(trx, pullRequest);
    if (pullRequest.state === 'MERGED') await setMerged(trx, pullRequest);
    if (pullRequest.state !== 'OPEN') await endRuns(trx, ctx, pullRequest);
    else if (suites.length > 0) {
      if (hasNewBase) await startLeftOutRuns(trx, ctx, suites, pullRequest);
      await startRuns(trx, ctx, suites, pullRequest);
    }
  }
}

/**
 * Stores a repository's default branch from a webhook. If it has changed, gates and configurations are updated. If it was
 * renamed, GitHub tells later that its pull requests have the new base, so until then they are assumed to have it.
 */
export async function recordDefaultBranch(
  trx: Db,
  { owner, repo }: RepositoryKey,
  told: { defaultBranch: string; toldAt: Date },
): Promise<void> {
  // Nearly every webhook names it, and it hardly ever changes.
  const before = await findDefaultBranch(trx, { owner, repo });
  if (before === told.defaultBranch) return;
  if (!(await saveDefaultBranch(trx, { owner, repo }, told))) return;
  if (before !== null) {
    await lockPullRequests(trx, { owner, repo });
    await moveBase(trx, { owner, repo }, before, told.defaultBranch);
    await enqueue(trx, 'synchronize-repository', { owner, repo, what: 'everything' });
  }
  await enqueue(trx, 'gate-pull-requests', { owner, repo });
  await enqueue(trx, 'read-config-file', { owner, repo });
}
