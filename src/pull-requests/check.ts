import type { PageResult } from '../runs/result.ts';
import type { Run } from '../runs/run.ts';

type CheckStatus = 'queued' | 'in_progress' | 'completed';

export type CheckConclusion = 'success' | 'failure' | 'neutral' | 'cancelled' | 'timed_out' | 'action_required';

/**
 * What GitHub was told of a run. `creating` is written before the check is asked for, so that one whose answer was lost
 * is looked for and not made twice. `gone`: GitHub will not take it (uninstalled, archived, forced away).
 */
export type CheckShown =
  | { state: 'creating' }
  | { state: 'shown'; fingerprint: string; status: CheckStatus; conclusion: CheckConclusion | null }
  | { state: 'gone'; reason: string };

/** A result as far as its check speaks of it. */
export type CheckResult = Pick<
  PageResult,
  'id' | 'path' | 'viewport' | 'status' | 'approved' | 'isNew' | 'currentFile' | 'diffScore' | 'diffFile'
> & {
  /** Approved as the same picture was approved earlier in the pull request. */
  carriedOver: boolean;
  approverName: string | null;
};

/** A pull request's run with everything that its check shows, and where that is shown. */
export type RunCheck = {
  run: Run;
  owner: string;
  repo: string;
  headSha: string;
  installationId: number;
  name: string;
  totalResults: number;
  results: CheckResult[];
  /** Something that the check must tell people besides: a button that was refused. */
  notice: string | null;
  shown: CheckShown | null;
  /** When this was read, by the database's clock. */
  readAt: Date;
};
