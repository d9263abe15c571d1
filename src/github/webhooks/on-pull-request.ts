import type { Db } from '../../db/database.ts';
import { followPullRequest } from '../../pull-requests/follow-pull-request.ts';
import { dropMergeGroup, lockPullRequests } from '../../pull-requests/pull-request-store.ts';
import type { PullRequestNews } from '../../pull-requests/pull-request.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import { repositoryKey, type HandlerContext, type MergeGroupEvent, type PullRequestEvent } from './event-shapes.ts';

/** Null for the branch of a repository that was deleted. */
function isFromFork({ head, base }: PullRequestEvent['pull_request']): boolean | null {
  if (head.repo === undefined || base.repo === undefined) return null;
  return head.repo.full_name.toLowerCase() !== base.repo.full_name.toLowerCase();
}

export function readPullRequestEvent(event: PullRequestEvent, installationId: number): PullRequestNews {
  const { pull_request: from, repository } = event;
  // GitHub reports a merge in two fields. Not every action's type has both.
  const mergedAt = typeof from.merged_at === 'string' ? new Date(from.merged_at) : null;
  const merged = mergedAt !== null || from.merged === true;
  const changedAt = new Date(from.updated_at);
  return {
    action: event.action,
    before: event.action === 'synchronize' ? (event.before ?? null) : null,
    pullRequest: {
      ...repositoryKey(repository),
      number: from.number,
      title: from.title ?? null,
      headSha: from.head.sha.toLowerCase(),
      headBranch: from.head.ref,
      fromFork: isFromFork(from),
      baseBranch: from.base.ref,
      state: from.state === 'open' ? 'OPEN' : merged ? 'MERGED' : 'CLOSED',
      draft: from.draft ?? false,
      mergeCommitSha: merged ? (from.merge_commit_sha ?? null) : null,
      mergedAt: merged ? (mergedAt ?? changedAt) : null,
      installationId,
      changedAt,
    },
  };
}

/** Works whatever the order in which GitHub's events of one pull request arrive. */
export async function onPullRequest(
  trx: Db,
  ctx: HandlerContext,
  payloads: readonly PullRequestEvent[],
): Promise<void> {
  const [first] = payloads;
  if (first === undefined) return;
  const repository = repositoryKey(first.repository);
  await lockPullRequests(trx, repository);
  const suites = await linkedSuites({ db: trx, config: ctx.config }, repository);
  const news = payloads.flatMap((payload) => {
    const installationId = payload.installation?.id ?? suites[0]?.suite.codehost.installationId;
    return installationId === undefined ? [] : [readPullRequestEvent(payload, installationId)];
  });
  if (news.length === 0) return;
  const { owner, repo, number, headSha, state } = await followPullRequest(trx, ctx, suites, news);
  const actions = news.map(({ action }) => action);
  ctx.log.info({ owner, repo, number, headSha, state, actions }, 'recorded pull request events');
}

export async function onMergeGroup(trx: Db, ctx: HandlerContext, payload: MergeGroupEvent): Promise<void> {
  const repository = repositoryKey(payload.repository);
  const { head_sha: headSha, head_ref: headRef } = payload.merge_group;
  if (payload.action === 'destroyed') await dropMergeGroup(trx, { ...repository, headSha });
  if (payload.action !== 'checks_requested') return;
  const [first] = await linkedSuites({ db: trx, config: ctx.config }, repository);
  if (first === undefined) return;
  const installationId = payload.installation?.id ?? first.suite.codehost.installationId;
  await enqueue(trx, 'judge-merge-group', { ...repository, headSha, headRef, installationId });
}
