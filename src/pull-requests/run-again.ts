import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { linkedSuites, type LinkedSuite } from '../suites/linked-suites.ts';
import { findOpenPullRequestsAt, lockPullRequest } from './pull-request-store.ts';
import { toHead } from './pull-request.ts';
import { startPullRequestRun } from './start-pull-request-run.ts';

type Commit = { owner: string; repo: string; headSha: string };

/**
 * Starts another attempt at a commit for each suite of the repository that `wanted` names and that has none in flight.
 * Only for commits that are still the head of an open pull request, as other results are not needed.
 * @returns how many runs were started.
 */
export async function runAgain(
  trx: Db,
  ctx: Pick<Context, 'clock' | 'config' | 'log'>,
  { owner, repo, headSha }: Commit,
  wanted: (suite: LinkedSuite, number: number) => boolean = () => true,
): Promise<number> {
  const suites = await linkedSuites({ db: trx, config: ctx.config }, { owner, repo });
  let started = 0;
  for (const { number } of await findOpenPullRequestsAt(trx, { owner, repo, headSha })) {
    const current = await lockPullRequest(trx, { owner, repo, number });
    if (current?.state !== 'OPEN' || current.headSha !== headSha) continue;
    for (const suite of suites.filter((each) => wanted(each, number))) {
      const run = await startPullRequestRun(trx, ctx, suite, toHead(current), 'any end');
      if (run !== null) started += 1;
    }
  }
  ctx.log.info({ owner, repo, headSha, started }, 're-run requested');
  return started;
}
