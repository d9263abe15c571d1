import type { PullRequestNews } from '../../pull-requests/pull-request.ts';
import { toRepositoryKey, type RepositoryKey } from '../../suites/suite.ts';
import type { PullRequestEvent } from './event-shapes.ts';

/** A repository as events name it. */
type EventRepository = { name: string; owner: { login: string } };

export function repositoryKey({ name, owner }: EventRepository): RepositoryKey {
  return toRepositoryKey({ owner: owner.login, repo: name });
}

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
