import type { SelectedRow } from '../db/query.ts';
import { matchesGlobs } from '../text/globs.ts';

export const PULL_REQUEST_COLUMNS = [
  'owner',
  'repo',
  'number',
  'title',
  'head_sha',
  'head_branch',
  // Whether the head branch is one of a fork. Null when it is not known.
  'from_fork',
  'base_branch',
  'state',
  'draft',
  'merge_commit_sha',
  'merged_at',
  'installation_id',
  // GitHub's time of the event, in whole seconds.
  'changed_at',
] as const;

/** The state of a pull request after the newest event. Owner and repo are in lower case. */
export type PullRequest = SelectedRow<'pull_requests', typeof PULL_REQUEST_COLUMNS>;

/** The comment on a pull request as the code host shows it. */
export type CommentShown = {
  /** Null: there is none any more. */
  id: number | null;
  /** Of its text. */
  fingerprint: string;
  /** The runs for which it was made. If somebody deletes it, it is only created again for another run. */
  runs: string[];
};

/** The check over all suites as the code host shows it. */
export type SummaryShown = { headSha: string; id: number; fingerprint: string; isOpen: boolean };

/** A group of pull requests in a merge queue. `headRef` is the branch that the code host made for it. */
export type MergeGroup = { headSha: string; headRef: string; numbers: number[] };

declare module '../db/json.ts' {
  interface JsonColumns {
    'pull_requests.comment_shown': CommentShown;
    'pull_requests.merge_group': MergeGroup;
    'pull_requests.summary_shown': SummaryShown;
  }
}

/** What one event says about a pull request. `before` is the head that a push replaced, if the event names it. */
export type PullRequestNews = { action: string; before: string | null; pullRequest: PullRequest };

const DRAFT_ACTIONS = new Set(['ready_for_review', 'converted_to_draft']);

/** GitHub's times are whole seconds. Within one second, the action and the replaced head decide about the order. */
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
 * Whether an event is newer than the known state. Events can come twice, late and in any order. Pure.
 * @param isPastHead `before` is a head that the pull request had earlier, and no longer has.
 */
export function isNewer(known: PullRequest, news: PullRequestNews, isPastHead: boolean): boolean {
  const { pullRequest } = news;
  // A merge is final.
  if (known.state === 'MERGED') return false;
  if (pullRequest.state === 'MERGED') return true;
  const ahead = pullRequest.changedAt.getTime() - known.changedAt.getTime();
  return ahead === 0 ? winsTie(known, news, isPastHead) : ahead > 0;
}

/**
 * The state after a newer event. Of those within one second, only the action that changes the base branch, or the draft
 * state, says which it is. Pure.
 */
export function followNews(known: PullRequest, { action, pullRequest }: PullRequestNews): PullRequest {
  const isTie = pullRequest.changedAt.getTime() === known.changedAt.getTime();
  if (!isTie || pullRequest.state !== known.state) return pullRequest;
  return {
    ...pullRequest,
    baseBranch: action === 'edited' ? pullRequest.baseBranch : known.baseBranch,
    draft: DRAFT_ACTIONS.has(action) ? pullRequest.draft : known.draft,
  };
}

/**
 * Whether a suite gates pull requests into this branch (docs/rules.md, Pull requests). Without globs it gates those
 * into the default branch, and all of them until webhooks have told which branch that is. Pure.
 */
export function isGatedBase(
  { baseBranches }: { baseBranches: readonly string[] | null },
  branch: string,
  defaultBranch: string | null,
): boolean {
  if (baseBranches !== null) return matchesGlobs(baseBranches, branch);
  return defaultBranch === null || branch === defaultBranch;
}
