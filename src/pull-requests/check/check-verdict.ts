import { assertNever } from '../../errors.ts';
import { isApprovable } from '../../review/approval/approvable.ts';
import type { Assignee } from '../../runs/assignees/assignee.ts';
import { describeEnding, type EndReason } from '../../runs/end-reason.ts';
import {
  describeCause,
  findOnlyPullRequest,
  groupUncounted,
  isUncounted,
  type OtherCause,
} from '../../runs/results/cause-words.ts';
import { isChanged } from '../../runs/results/result.ts';
import { isInFlight, type Run } from '../../runs/run.ts';
import type { SettingsReport } from '../../runs/settings-change/read-settings.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { formatCount, formatNumber, shortSha } from '../../text/format.ts';
import { deployedName, whichPreview, type PreviewSearch } from '../previews/preview-search.ts';
import { titleOfRequests } from './check-requests.ts';
import { fitName, fitTitle, MAX_TITLE } from './check-title.ts';
import type { CheckChanges, CheckConclusion, CheckRequest, CheckResult } from './check.ts';

/** The part of a run that decides the verdict of its check. */
export type CheckSituation = {
  run: Pick<
    Run,
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
  >;
  totalResults: number;
  results: CheckResult[];
  changes: CheckChanges;
  heard?: { differences: number; pages: number };
  /** Open requests for changes. */
  requests?: CheckRequest[];
  /** The people whom the run is assigned to. */
  assignees?: Assignee[];
  /** The outcome of the search for the preview. */
  search: PreviewSearch | null;
  /** What the pull request changes in the settings. */
  settings: SettingsReport | null;
};

export type Verdict =
  | { status: 'queued' | 'in_progress'; conclusion: null; title: string }
  | { status: 'completed'; conclusion: CheckConclusion; title: string };

/** The least number of characters of a branch in a title. */
const LEAST_BRANCH = 16;

const completed = (conclusion: CheckConclusion, title: string): Verdict => ({
  status: 'completed',
  conclusion,
  title,
});

const countPaths = (results: CheckResult[]) => new Set(results.map((result) => result.path)).size;

export const isError = (result: CheckResult) => result.status === 'ERROR';
export const isNewScreenshot = (result: CheckResult) => result.status === 'PASS' && result.isNew;
export const isUnapproved = (result: CheckResult) => isApprovable({ runType: 'PR' }, result);

/** `7 changes approved by Ada, Bob and 2 others`, or with fewer names where they are long. */
function titleOfApproved(changed: CheckResult[]): string {
  const names = [...new Set(changed.map((result) => result.approverName ?? 'a reviewer'))];
  const [first = ''] = names;
  const much = `${formatCount(changed.length, 'change')} approved by`;
  const withNames = (shown: number) => {
    const others = names.length - shown;
    const listed = names.slice(0, shown).join(', ');
    return `${much} ${others === 0 ? listed : `${listed} and ${formatCount(others, 'other')}`}`;
  };
  return fitTitle(
    withNames(Math.min(names.length, 2)),
    withNames(1),
    names.length === 1 ? fitName(first, (name) => `${much} ${name}`) : `${much} ${names.length} people`,
  );
}

function titleOfApprovedSettings(settings: SettingsReport | null): string {
  return fitName(settings?.approvedBy?.name ?? 'a reviewer', (name) => `Settings approved by ${name}`);
}

function newPagesNote(results: CheckResult[]): string {
  const pages = countPaths(results.filter(isNewScreenshot));
  return pages === 0 ? '' : ` (${formatCount(pages, 'new page')})`;
}

function wordsFor({ cause, results }: { cause: OtherCause; results: CheckResult[] }): string {
  return describeCause(cause, { causePullRequest: findOnlyPullRequest(results) });
}

/** `2 drifted, 1 from #12`: results that differ for another cause than a change. */
function formatUncounted(results: CheckResult[]): string {
  return groupUncounted(results)
    .map((group) => `${formatNumber(group.results.length)} ${wordsFor(group)}`)
    .join(', ');
}

/** `3 pages drifted, 2 behind`: the same by pages. */
function formatUncountedPages(results: CheckResult[]): string {
  return groupUncounted(results)
    .map((group) => ({ pages: countPaths(group.results), words: wordsFor(group) }))
    .map(({ pages, words }, at) => `${at === 0 ? formatCount(pages, 'page') : formatNumber(pages)} ${words}`)
    .join(', ');
}

function titleWithoutChanges(results: CheckResult[]): string {
  const uncounted = formatUncountedPages(results);
  const fresh = newPagesNote(results);
  if (uncounted === '') return `No visual changes${fresh}`;
  const none = 'No changes from this PR';
  const pages = countPaths(results.filter(isUncounted));
  return fitTitle(
    `${none} (${uncounted})${fresh}`,
    `${none} (${uncounted})`,
    `${none} (${formatCount(pages, 'page')} differ)`,
  );
}

/** `Settings changed: review required (no visual changes)`: of results, there is nothing to review. */
function titleOfSettings(results: CheckResult[]): string {
  const changed = results.filter(isChanged).length;
  const fresh = results.filter(isNewScreenshot).length;
  const uncounted = results.filter(isUncounted).length;
  const counts = [
    ...(changed === 0 ? [] : [`${formatCount(changed, 'change')} approved`]),
    ...(fresh === 0 ? [] : [`${formatNumber(fresh)} new`]),
    ...(uncounted === 0 ? [] : [formatUncounted(results)]),
  ];
  const says = (what: string) => `Settings changed: review required (${what})`;
  return fitTitle(
    says(counts.length === 0 ? 'no visual changes' : counts.join(', ')),
    'Settings changed: review required',
  );
}

/** `3 of 5 changes on 29 pages`: what is left by cause. Null when no causes are known, or none of them is left. */
function formatCauses({ total, undecided = total }: CheckChanges, changed: CheckResult[]): string | null {
  if (undecided === 0) return null;
  const pages = countPaths(changed.filter(isUnapproved));
  const changes =
    undecided === total
      ? formatCount(total, 'change')
      : `${formatNumber(undecided)} of ${formatCount(total, 'change')}`;
  return `${changes} on ${formatCount(pages, 'page')}`;
}

/**
 * `5 changes on 29 pages, 2 new: review required`, or without known causes `7 changed, 2 new, 51 unchanged: review
 * required`. The first part to be left out needs no action.
 */
function titleOfPending({ results, run, changes }: Pick<CheckSituation, 'results' | 'run' | 'changes'>): string {
  const changed = results.filter(isChanged);
  const fresh = results.filter(isNewScreenshot).length;
  const uncounted = results.filter(isUncounted).length;
  const unchanged = results.length - changed.length - fresh - uncounted;
  const approved = changed.filter((result) => result.approved).length;
  const toReview = `${formatNumber(changed.length)} changed${approved === 0 ? '' : ` (${formatNumber(approved)} approved)`}`;
  const loosened = settingsReview(run) === 'PENDING';
  if (loosened && changed.length === approved) return titleOfSettings(results);
  const says = (...counts: string[]) => `${loosened ? 'Settings and ' : ''}${counts.join(', ')}: review required`;
  const isNew = `${formatNumber(fresh)} new`;
  const same = `${formatNumber(unchanged)} unchanged`;
  const causes = formatCauses(changes, changed);
  if (causes !== null) return fresh === 0 ? fitTitle(says(causes)) : fitTitle(says(causes, isNew), says(causes));
  return fitTitle(
    says(toReview, isNew, same, ...(uncounted === 0 ? [] : [formatUncounted(results)])),
    says(toReview, isNew, same),
    says(toReview, isNew),
    says(toReview),
  );
}

function verdictOfCompleted({ run, results, settings, changes, requests = [] }: CheckSituation): Verdict {
  const errors = results.filter(isError);
  const changed = results.filter(isChanged);
  if (errors.length > 0) {
    const also = changed.length === 0 ? '' : `; ${formatNumber(changed.length)} changed`;
    return completed('failure', `${formatCount(countPaths(errors), 'page')} could not be captured${also}`);
  }
  if (requests.length > 0) return completed('action_required', titleOfRequests(requests));
  switch (run.reviewState) {
    case 'PENDING':
      return completed('action_required', titleOfPending({ results, run, changes }));
    case 'APPROVED':
      return completed('success', changed.length === 0 ? titleOfApprovedSettings(settings) : titleOfApproved(changed));
    case 'NOT_REQUIRED':
      return completed('success', titleWithoutChanges(results));
    default:
      return assertNever(run.reviewState);
  }
}

function verdictOfFailed({ results }: CheckSituation): Verdict {
  const errors = results.filter(isError);
  return completed(
    'failure',
    errors.length > 0 ? `${formatCount(countPaths(errors), 'page')} could not be captured` : 'The run failed',
  );
}

const CONCLUSIONS: Record<EndReason, CheckConclusion> = {
  'cancelled by a user': 'cancelled',
  superseded: 'cancelled',
  pull_request_closed: 'cancelled',
  suite_unlinked: 'cancelled',
  suite_inactive: 'cancelled',
  preview_timeout: 'timed_out',
  preview_unusable: 'failure',
  preview_failed: 'failure',
  preview_skipped: 'neutral',
  preview_ambiguous: 'action_required',
  preview_replaced: 'cancelled',
  config_file: 'failure',
  no_tracked_pages: 'neutral',
  draft_ignored: 'neutral',
  paths_unchanged: 'neutral',
};

/**
 * The title of a check whose run ended without a preview, with the names of the deployments; null for other reasons.
 */
function titleOfSearch(reason: EndReason | undefined, search: PreviewSearch | null): string | null {
  if (reason === 'preview_ambiguous' && search !== null) return whichPreview(search.candidates.length);
  const failed = search?.failed ?? null;
  if (failed === null || (reason !== 'preview_failed' && reason !== 'preview_skipped')) return null;
  const outcome = reason === 'preview_failed' ? 'failed' : 'was skipped';
  return fitName(deployedName(failed), (name) => `The deployment of ${name} ${outcome}`);
}

/** The verdict on a run that ended early, by the reason; null when the run is in flight or ended without a reason. */
function verdictOfReason({ run: { status, metadata }, search }: CheckSituation): Verdict | null {
  const title = titleOfSearch(metadata?.reason, search) ?? describeEnding(metadata);
  if (isInFlight(status) || metadata?.reason === undefined || title === null) return null;
  return completed(CONCLUSIONS[metadata.reason], title);
}

function waiting({ run: { git }, search }: CheckSituation): Verdict {
  const candidates = search?.candidates.length ?? 0;
  if (candidates > 0) return { status: 'queued', conclusion: null, title: whichPreview(candidates) };
  const head = shortSha(git?.headSha ?? '');
  return { status: 'queued', conclusion: null, title: `Waiting for a preview deployment of ${head}` };
}

function capturing({ totalResults, results }: CheckSituation): Verdict {
  const settled = results.filter((result) => result.status !== 'PENDING').length;
  const title = `Capturing: ${formatNumber(settled)} of ${formatCount(totalResults, 'screenshot')}`;
  return { status: 'in_progress', conclusion: null, title };
}

/** `7 changed, 2 new`; what a run found that has ended by itself. */
function formatFindings(results: CheckResult[]): string {
  const [changed = 0, fresh = 0, errors = 0] = [isChanged, isNewScreenshot, isError].map(
    (is) => results.filter(is).length,
  );
  const counts = [
    ...(changed === 0 ? [] : [`${formatNumber(changed)} changed`]),
    ...(fresh === 0 ? [] : [`${formatNumber(fresh)} new`]),
    ...(results.some(isUncounted) ? [formatUncounted(results)] : []),
    ...(errors === 0 ? [] : [`${formatNumber(errors)} not captured`]),
  ];
  return counts.length === 0 ? 'no visual changes' : counts.join(', ');
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** An informational check never blocks, not even while it waits or captures. */
function verdictForInformation({ run, results }: CheckSituation, { title }: Verdict): Verdict {
  const isComplete = run.status === 'COMPLETED' && run.metadata?.reason === undefined && results.length > 0;
  const says = isComplete ? formatFindings(results) : lowerFirst(title);
  const base = run.git?.baseBranch ?? 'unknown';
  const withBase = (name: string) => `Not gated: the base is ${name} (${says})`;
  const cutBase = MAX_TITLE - withBase('').length < LEAST_BRANCH ? [] : [fitName(base, withBase)];
  return completed('neutral', fitTitle(withBase(base), ...cutBase, `Not gated (${says})`));
}

const CONFIGURED = '; configuration changed';

/** What the pull request changes about its own check must be visible without opening the check. */
function withConfigChange({ run: { git, status } }: CheckSituation, verdict: Verdict): Verdict {
  const used = git?.configChange?.used ?? [];
  if (used.length === 0 || isInFlight(status) || verdict.title.startsWith('Settings ')) return verdict;
  return { ...verdict, title: fitName(verdict.title, (title) => title + CONFIGURED) };
}

/** What the check says about a run (docs/rules.md, Pull requests). Pure. */
export function decideVerdict(situation: CheckSituation): Verdict {
  const verdict = verdictOfRun(situation);
  return situation.run.isGated ? withConfigChange(situation, verdict) : verdictForInformation(situation, verdict);
}

function verdictOfRun(situation: CheckSituation): Verdict {
  const { run, totalResults } = situation;
  const ended = verdictOfReason(situation);
  if (ended !== null) return ended;
  switch (run.status) {
    case 'PENDING':
      return run.git?.enqueued === true ? capturing(situation) : waiting(situation);
    case 'RUNNING':
      return capturing(situation);
    case 'COMPLETED':
      return totalResults === 0 ? completed('neutral', 'Nothing to capture') : verdictOfCompleted(situation);
    case 'FAILED':
      return verdictOfFailed(situation);
    case 'CANCELLED':
      return completed('cancelled', 'The run was cancelled');
    default:
      return assertNever(run.status);
  }
}
