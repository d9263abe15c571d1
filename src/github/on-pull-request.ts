import type { PullRequestEvent } from '@octokit/webhooks-types';
import type { Db } from '../db/database.ts';
import { hadRunAt } from '../runs/start-pull-request-run.ts';
import type { LinkedSuite } from '../suites/linked-suites.ts';
import { linkedSuites } from '../suites/linked-suites.ts';
import { endRuns, startRuns } from './follow-pull-request.ts';
import type { HandlerContext } from './handler.ts';
import { changePullRequest, insertPullRequest, lockPullRequest } from './pull-request-store.ts';
import type { PullRequest, PullRequestNews } from './pull-request.ts';
import { isNewer, newsOf, repositoryKey } from './pull-request.ts';

/** Contract 7.10. */
const STARTS_RUNS = new Set(['opened', 'reopened', 'synchronize', 'ready_for_review']);

/** The pull request as it is after this event and those before it, locked: handlers of one take turns. */
async function keepNewest(trx: Db, news: PullRequestNews): Promise<PullRequest> {
  const told = news.pullRequest;
  if (await insertPullRequest(trx, told)) return told;
  const known = await lockPullRequest(trx, told);
  if (known === null) throw new Error(`Pull request ${told.owner}/${told.repo}#${told.number} vanished`);
  const isPastHead = news.before !== null && (await hadRunAt(trx, { ...told, headSha: news.before }));
  if (!isNewer(known, news, isPastHead)) return known;
  await changePullRequest(trx, told);
  return told;
}

/** Only what the pull request now is decides, so that an event that comes late or twice does no harm. */
async function follow(
  trx: Db,
  ctx: HandlerContext,
  suites: LinkedSuite[],
  { action, pullRequest: told }: PullRequestNews,
  current: PullRequest,
): Promise<void> {
  if (current.state === 'OPEN') {
    if (STARTS_RUNS.has(action) && told.headSha === current.headSha) await startRuns(trx, ctx, suites, current);
  } else if (action === 'closed') {
    await endRuns(trx, ctx, current);
  }
}

/**
 * Contract 7.10 and 7.12, whatever the order in which GitHub's events come. Of a repository without a suite only the
 * state is kept: it may have another name, of which we hear later.
 */
export async function onPullRequest(trx: Db, ctx: HandlerContext, payload: PullRequestEvent): Promise<void> {
  const suites = await linkedSuites({ db: trx, config: ctx.config }, repositoryKey(payload.repository));
  const installationId = payload.installation?.id ?? suites[0]?.suite.codehost?.installationId;
  if (installationId === undefined) return;
  const news = newsOf(payload, installationId);
  const current = await keepNewest(trx, news);
  if (suites.length > 0) await follow(trx, ctx, suites, news, current);
  const { owner, repo, number, headSha, state } = current;
  ctx.log.info({ owner, repo, number, headSha, state, action: news.action }, 'heard of a pull request');
}
