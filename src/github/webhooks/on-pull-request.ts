import type { Db } from '../../db/database.ts';
import { followPullRequest } from '../../pull-requests/follow-pull-request.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import type { MergeGroupEvent, PullRequestEvent } from './event-shapes.ts';
import type { HandlerContext } from './handler.ts';
import { readPullRequestEvent, repositoryKey } from './pull-request-news.ts';

/** Works whatever the order in which GitHub's events of one pull request arrive. */
export async function onPullRequest(
  trx: Db,
  ctx: HandlerContext,
  payloads: readonly PullRequestEvent[],
): Promise<void> {
  const [first] = payloads;
  if (first === undefined) return;
  const suites = await linkedSuites({ db: trx, config: ctx.config }, repositoryKey(first.repository));
  const news = payloads.flatMap((payload) => {
    const installationId = payload.installation?.id ?? suites[0]?.suite.codehost?.installationId;
    return installationId === undefined ? [] : [readPullRequestEvent(payload, installationId)];
  });
  if (news.length === 0) return;
  const { owner, repo, number, headSha, state } = await followPullRequest(trx, ctx, suites, news);
  const actions = news.map(({ action }) => action);
  ctx.log.info({ owner, repo, number, headSha, state, actions }, 'recorded pull request events');
}

/** There is nothing to do for a destroyed group. */
export async function onMergeGroup(trx: Db, ctx: HandlerContext, payload: MergeGroupEvent): Promise<void> {
  if (payload.action !== 'checks_requested') return;
  const repository = repositoryKey(payload.repository);
  const suites = await linkedSuites({ db: trx, config: ctx.config }, repository);
  const installationId = payload.installation?.id ?? suites[0]?.suite.codehost?.installationId;
  if (suites.length === 0 || installationId === undefined) return;
  const { head_sha: headSha, head_ref: headRef } = payload.merge_group;
  await enqueue(trx, 'judge-merge-group', { ...repository, headSha, headRef, installationId });
}
