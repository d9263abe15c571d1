import type { PullRequestHead } from './pull-request-run.ts';
import type { PullRequestKey } from '../runs/run.ts';

type PullRequestState = 'OPEN' | 'CLOSED' | 'MERGED';

/** What is known of a pull request, from the newest event. Owner and repo in lower case. */
export type PullRequest = PullRequestKey & {
  headSha: string;
  headBranch: string;
  baseBranch: string;
  state: PullRequestState;
  draft: boolean;
  mergeCommitSha: string | null;
  mergedAt: Date | null;
  installationId: number;
  /** GitHub's own time of the event, in whole seconds. */
  changedAt: Date;
};

/** One event's word of a pull request; `before` is the head that a push to it took away, where it says so. */
export type PullRequestNews = { action: string; before: string | null; pullRequest: PullRequest };

/** GitHub's times are whole seconds: within one, what the action means and what a push replaced tell the order. */
function winsTie(known: PullRequest, { action, before, pullRequest }: PullRequestNews, isPastHead: boolean): boolean {
  switch (action) {
    case 'opened':
      return false;
    case 'closed':
    case 'reopened':
      return true;
    case 'synchronize':
      return known.state === 'OPEN' && (before === known.headSha || !isPastHead);
    default:
      return pullRequest.headSha === known.headSha && pullRequest.state === known.state;
  }
}

/**
 * Whether an event tells something newer than what is known; events come twice, late and in any order. Pure.
 * @param isPastHead `before` is a head that the pull request had, and has no longer.
 */
export function isNewer(known: PullRequest, news: PullRequestNews, isPastHead: boolean): boolean {
  const { action, before, pullRequest } = news;
  // A merge is for ever.
  if (known.state === 'MERGED') return false;
  if (pullRequest.state === 'MERGED') return true;
  // A push that says it replaced the head that we know came after it, whatever the clocks say.
  if (action === 'synchronize' && before === known.headSha && known.state === 'OPEN') return true;
  // Only a closed pull request is reopened.
  if (action === 'reopened' && known.state === 'CLOSED') return true;
  const ahead = pullRequest.changedAt.getTime() - known.changedAt.getTime();
  return ahead === 0 ? winsTie(known, news, isPastHead) : ahead > 0;
}

export function headOf(pullRequest: PullRequest): PullRequestHead {
  const { owner, repo, number, headSha, headBranch, baseBranch, installationId } = pullRequest;
  return { owner, repo, number, headSha, branch: headBranch, baseBranch, installationId };
}
