import type { SelectedRow } from '../../db/query.ts';
import { isApprovable } from '../../review/approval/approvable.ts';
import type { ChangeGroup } from '../../review/changes/change-group.ts';
import type { ChangeRequest } from '../../review/verdicts/verdict.ts';
import type { PageResult } from '../../runs/results/result.ts';
import type { FoundRun } from '../../runs/run.ts';
import type { SettingsReport } from '../../runs/settings-change/read-settings.ts';
import type { PreviewSearch } from '../previews/preview-search.ts';

export type CheckConclusion = 'success' | 'failure' | 'neutral' | 'cancelled' | 'timed_out' | 'action_required';

/** What a check says, in short. */
export type Verdict = { title: string } & (
  { status: 'queued' | 'in_progress'; conclusion: null } | { status: 'completed'; conclusion: CheckConclusion }
);

/** A check as the code host must show it. `summary`: Markdown. `detailsUrl`: where it leads. */
export type ShownCheck = Verdict & { summary: string; detailsUrl: string };

/**
 * What GitHub shows for a run. `creating` is stored before the request that creates the check. If the answer is lost,
 * the check is looked up and not created twice. `gone`: GitHub refuses it (App uninstalled, repository archived, commit
 * gone after a force push).
 */
export type CheckShown =
  | { state: 'creating' }
  | {
      state: 'shown';
      fingerprint: string;
      status: Verdict['status'];
      conclusion: CheckConclusion | null;
      /** The ids of the variants of changes that the check shows. */
      variants?: string[];
      /** The hash of the loosened settings that it shows. */
      settings?: string | null;
      /** The identifiers of its buttons. */
      buttons?: string[];
    }
  | { state: 'gone'; reason: string };

declare module '../../db/json.ts' {
  interface JsonColumns {
    'test_runs.check_shown': CheckShown;
  }
}

export const CHECK_RESULT_COLUMNS = [
  'id',
  'path',
  'viewport',
  'status',
  'cause',
  'approved',
  'is_new',
  'diff_score',
  'current_file',
  'cut',
  'servers',
] as const;

/** The part of a result that its check shows. */
export type CheckResult = SelectedRow<'page_results', typeof CHECK_RESULT_COLUMNS> & {
  causePullRequest: number | null;
  /** The keys of its changes. Null: none are known. */
  changeIds: PageResult['changeIds'];
  /** Approved because the same screenshot was approved earlier in the pull request. */
  carriedOver: boolean;
  approverName: string | null;
};

/** The first groups of a run's changes, how many there are, and how many are undecided. */
export type CheckChanges = { groups: ChangeGroup[]; total: number; undecided: number };

/** A request for changes. `path` and `viewport` are null if it is about the run itself. */
export type CheckRequest = Pick<ChangeRequest, 'resultId' | 'path' | 'viewport' | 'author' | 'note'>;

export const isError = (result: CheckResult) => result.status === 'ERROR';
export const isNewScreenshot = (result: CheckResult) => result.status === 'PASS' && result.isNew;
export const isUnapproved = (result: CheckResult) => isApprovable({ runType: 'PR' }, result);

export const passes = ({ conclusion }: Pick<Verdict, 'conclusion'>): boolean =>
  conclusion === 'success' || conclusion === 'neutral';

/** What the check of another pull request says for itself. */
export type OtherVerdict = { number: number; verdict: Verdict };

/** What a check shows of its own run. */
export type OwnSituation = {
  run: Pick<
    FoundRun,
    | 'id'
    | 'number'
    | 'status'
    | 'reviewState'
    | 'metadata'
    | 'git'
    | 'buildId'
    | 'isGated'
    | 'settingsHash'
    | 'settingsApprovedAt'
    | 'assignees'
  >;
  totalResults: number;
  results: CheckResult[];
  changes: CheckChanges;
  /** What assistive technology hears differently: how many differences, on how many pages. */
  heard: { differences: number; pages: number };
  /** Open requests for changes, oldest first. */
  requests: CheckRequest[];
  /** The outcome of the search for the preview. */
  search: PreviewSearch | null;
  /** What the pull request changes in how it is judged. */
  settings: SettingsReport | null;
};

/** What a check shows. */
export type CheckSituation = OwnSituation & {
  /** The same suite's checks of other open pull requests with this head. */
  others: OtherVerdict[];
  /** It is no longer the head of its own pull request, or that is closed. */
  isPast: boolean;
};

/** A pull request's run with everything that its check shows, and what the check needs to be found at GitHub. */
export type RunCheck = CheckSituation & {
  run: FoundRun;
  owner: string;
  repo: string;
  headSha: string;
  installationId: number;
  name: string;
  /** There is a later attempt at the commit. */
  isRepeated: boolean;
  /** An extra message in the check, for example that a button was refused. */
  notice: string | null;
  shown: CheckShown | null;
  /** When this was read, by the database's clock. */
  readAt: Date;
};
