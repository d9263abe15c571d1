import type { PullRequestEvent } from '@octokit/webhooks-types';
import type { Db } from '../db/database.ts';
import { cancelRunsOfClosed, supersedeRuns } from '../runs/end-pull-request-run.ts';
import type { EndReason } from '../runs/pull-request-run.ts';
import { queuePromotion } from '../runs/queue-promotion.ts';
import { hadRunAt, startPullRequestRun } from '../runs/start-pull-request-run.ts';
import type { LinkedSuite } from '../suites/linked-suites.ts';
import { linkedSuites } from '../suites/linked-suites.ts';
import type { HandlerContext } from './handler.ts';
import { changePullRequest, insertPullRequest, lockPullRequest } from './pull-request-store.ts';
import type { PullRequest, PullRequestNews } from './pull-request.ts';
import { headOf, isNewer, newsOf, repositoryKey } from './pull-request.ts';

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

async function startRuns(trx: Db, ctx: HandlerContext, suites: LinkedSuite[], current: PullRequest): Promise<void> {
  await supersedeRuns(trx, ctx, current);
  // Back at a head that was left, or open again: what was cancelled for that must not block it for ever.
  const againAfter: EndReason[] = ['superseded', 'pull_request_closed'];
  if (!current.draft) againAfter.push('draft_ignored');
  for (const suite of suites) await startPullRequestRun(trx, ctx, suite, headOf(current), againAfter);
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
  } else if (action === 'closed' && current.state === 'MERGED') {
    await supersedeRuns(trx, ctx, current);
    await queuePromotion(trx, current);
  } else if (action === 'closed') {
    await cancelRunsOfClosed(trx, ctx, current);
  }
}

/** Contract 7.10 and 7.12, whatever the order in which GitHub's events come. Repositories without a suite are left. */
export async function onPullRequest(trx: Db, ctx: HandlerContext, payload: PullRequestEvent): Promise<void> {
  const suites = await linkedSuites({ db: trx, config: ctx.config }, repositoryKey(payload.repository));
  const installationId = payload.installation?.id ?? suites[0]?.suite.codehost?.installationId;
  if (suites.length === 0 || installationId === undefined) return;
  const news = newsOf(payload, installationId);
  const current = await keepNewest(trx, news);
  await follow(trx, ctx, suites, news, current);
  const { owner, repo, number, headSha, state } = current;
  ctx.log.info({ owner, repo, number, headSha, state, action: news.action }, 'heard of a pull request');
}
