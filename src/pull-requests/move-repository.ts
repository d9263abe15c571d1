import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { linkedSuites } from '../suites/linked-suites.ts';
import { toRepositoryKey, type RepositoryName } from '../suites/repository-key.ts';
import { renameLinkedRepository } from '../suites/repository-store.ts';
import { renameRepositoryOfDefaultBranch } from './default-branch-store.ts';
import { endRuns, startRuns } from './follow-pull-request.ts';
import { renameRepositoryOfRuns, setMerged } from './pull-request-run-store.ts';
import { findPullRequests, renameRepositoryOfPullRequests } from './pull-request-store.ts';

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
  const early = await findPullRequests(trx, toKey);
  await renameLinkedRepository(trx, from, to);
  await renameRepositoryOfRuns(trx, fromKey, toKey);
  await renameRepositoryOfPullRequests(trx, fromKey, toKey);
  await renameRepositoryOfDefaultBranch(trx, fromKey, toKey);
  const suites = await linkedSuites({ db: trx, config: ctx.config }, to);
  for (const pullRequest of early) {
    if (pullRequest.state === 'MERGED') await setMerged(trx, pullRequest);
    if (pullRequest.state !== 'OPEN') await endRuns(trx, ctx, pullRequest);
    else if (suites.length > 0) await startRuns(trx, ctx, suites, pullRequest);
  }
}
