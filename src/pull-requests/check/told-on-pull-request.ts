import type { LinkedSuite } from '../../suites/linked-suites.ts';
import type { PullRequest } from '../pull-request.ts';
import type { RunCheck } from './check.ts';

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
export type SummaryShown = {
  headSha: string;
  id: number;
  fingerprint: string;
  isOpen: boolean;
};

declare module '../../db/json.ts' {
  interface JsonColumns {
    'pull_requests.comment_shown': CommentShown;
    'pull_requests.summary_shown': SummaryShown;
  }
}

/** An active suite with its last run of the pull request's head. */
export type SuiteAtHead = LinkedSuite & { check: RunCheck };

/** Everything that a pull request may show besides the checks of its suites. */
export type ToldOnPullRequest = {
  pullRequest: PullRequest;
  installationId: number;
  suites: SuiteAtHead[];
  /** Whether a suite wants a check over all of them. */
  hasSummary: boolean;
  comment: CommentShown | null;
  summary: SummaryShown | null;
};
