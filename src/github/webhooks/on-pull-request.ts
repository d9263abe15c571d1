import type { PullRequestEvent } from './event-shapes.ts';
import type { Db } from '../../db/database.ts';
import { followPullRequest } from '../../pull-requests/follow-pull-request.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import type { HandlerContext } from './handler.ts';
import { readPullRequestEvent, repositoryKey } from './pull-request-news.ts';

/** Contract 7.10 and 7.12. Works in whatever order GitHub's events arrive. */
export async function onPullRequest(trx: Db, ctx: HandlerContext, payload: PullRequestEvent): Promise<void> {
  const suites = await linkedSuites({ db: trx, config: ctx.config }, repositoryKey(payload.repository));
  const installationId = payload.installation?.id ?? suites[0]?.suite.codehost?.installationId;
  if (installationId === undefined) return;
  const news = readPullRequestEvent(payload, installationId);
  const { owner, repo, number, headSha, state } = await followPullRequest(trx, ctx, suites, news);
  ctx.log.info({ owner, repo, number, headSha, state, action: news.action }, 'recorded a pull request event');
}
