import type { Viewer } from '../../auth/user.ts';
import type { TimePlace } from '../../db/list-part.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import type { Assignee } from '../assignees/assignee-sql.ts';
import type { ReviewState, RunStatus, RunSummary, RunType } from '../run.ts';

/** The runs of all suites that the viewer may read, of those in which they may approve, or of one suite. */
export type RunScope = { readableBy: Viewer } | { reviewableBy: Viewer } | { suite: SuiteFor };

export type RunFilter = {
  statuses?: readonly RunStatus[] | undefined;
  reviewState?: ReviewState | undefined;
  runType?: RunType | undefined;
  /** Only runs that gate something, or would. */
  isGated?: true | undefined;
  /** The whole name. */
  branch?: string | undefined;
  /** The id of the person who started the run, or for whom a token or a workflow did. */
  startedById?: string | undefined;
  assigneeId?: string | undefined;
  /** Of the run in its suite. */
  number?: number | undefined;
  pullRequest?: number | undefined;
  /** The beginning of a commit's SHA, in lower case. */
  headSha?: string | undefined;
  /** Words: see `run-search.ts`. */
  search?: string | undefined;
};

export type RunWithSuite = RunSummary & {
  testSuite: { id: string; name: string; baseUrl: string };
  assignees: Assignee[];
  place: TimePlace;
};

/** Who started or cancelled runs. */
export type Person = { id: string; name: string };
