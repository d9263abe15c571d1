import type { Db } from '../db/database.ts';
import { moveRunsOfRepository } from '../runs/follow-repository.ts';
import { followRepository } from '../suites/follow-repository.ts';
import { linkedSuites } from '../suites/linked-suites.ts';
import { endRuns, startRuns } from './follow-pull-request.ts';
import type { HandlerContext } from './handler.ts';
import { findPullRequests } from './pull-request-store.ts';
import type { RepositoryName } from './repository-store.ts';
import { renameRepositoryRows } from './repository-store.ts';

const lowerCase = ({ owner, repo }: RepositoryName) => ({ owner: owner.toLowerCase(), repo: repo.toLowerCase() });

/**
 * What is linked to a repository, and what is known of it, follows it to its new name and owner. What its pull requests
 * told under the new name before we heard of it is made up for.
 * @param to.installationId null: it stays the one that it was
 */
export async function moveRepository(
  trx: Db,
  ctx: HandlerContext,
  from: RepositoryName,
  to: RepositoryName & { installationId: number | null },
): Promise<void> {
  const early = await findPullRequests(trx, lowerCase(to));
  await followRepository(trx, from, to);
  await moveRunsOfRepository(trx, lowerCase(from), lowerCase(to));
  await renameRepositoryRows(trx, lowerCase(from), lowerCase(to));
  const suites = await linkedSuites({ db: trx, config: ctx.config }, to);
  if (suites.length === 0) return;
  for (const pullRequest of early) {
    if (pullRequest.state === 'OPEN') await startRuns(trx, ctx, suites, pullRequest);
    else await endRuns(trx, ctx, pullRequest);
  }
}
