import { formatCount, shortSha } from '../text/format.ts';
import type { CheckChanges } from './check-changes.ts';
import type { CheckConclusion, CheckResult } from './check.ts';
import { cut } from './markdown-code.ts';
import type { PreviewSearch } from './preview-search.ts';
import { deployedName, whichPreview } from './preview-search.ts';
import { isApprovable } from '../review/approval/approvable.ts';
import type { OtherCause } from '../runs/results/cause-words.ts';
import {
  CAUSE_WORDS,
  describeCause,
  findOnlyPullRequest,
  groupUncounted,
  isUncounted,
} from '../runs/results/cause-words.ts';
import { isChanged } from '../runs/results/result.ts';
import type { EndReason } from '../runs/end-reason.ts';
import { describeEnding } from '../runs/end-reason.ts';
import type { Run } from '../runs/run.ts';
import { isInFlight } from '../runs/run.ts';
import { assertNever } from '../errors.ts';

/** The part of a run that decides the verdict of its check. */
export type CheckSituation = {
  run: Pick<Run, 'id' | 'status' | 'reviewState' | 'metadata' | 'git' | 'isGated'>;
  totalResults: number;
  results: CheckResult[];
  changes: CheckChanges;
  /** What the search for the preview came to. */
  search: PreviewSearch | null;
};

export type Verdict =
  | { status: 'queued' | 'in_progress'; conclusion: null; title: string }
  | { status: 'completed'; conclusion: CheckConclusion; title: string };

const NAMES_SHOWN = 2;
const MAX_BRANCH = 80;

const completed = (conclusion: CheckConclusion, title: string): Verdict => ({
  status: 'completed',
  conclusion,
  title,
});

const countPaths = (results: CheckResult[]) => new Set(results.map((result) => result.path)).size;

export const isError = (result: CheckResult) => result.status === 'ERROR';
export const isNewScreenshot = (result: CheckResult) => result.status === 'PASS' && result.isNew;
export const isUnapproved = (result: CheckResult) => isApprovable({ runType: 'PR' }, result);

function formatApprovers(results: CheckResult[]): string {
  const names = [...new Set(results.map((result) => result.approverName ?? 'a reviewer'))];
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  return names.length > NAMES_SHOWN ? `${shown} and ${formatCount(names.length - NAMES_SHOWN, 'other')}` : shown;
}

function newPagesNote(results: CheckResult[]): string {
  const pages = countPaths(results.filter(isNewScreenshot));
  return pages === 0 ? '' : ` (${formatCount(pages, 'new page')})`;
}

function wordsFor({ cause, results }: { cause: OtherCause; results: CheckResult[] }): string {
  return cause === 'FROM_PULL_REQUEST'
    ? describeCause(cause, { causePullRequest: findOnlyPullRequest(results) })
    : CAUSE_WORDS[cause];
}

/** `2 drifted, 1 from #12`: results that differ for another cause than a change. */
function formatUncounted(results: CheckResult[]): string {
  return groupUncounted(results)
    .map((group) => `${group.results.length} ${wordsFor(group)}`)
    .join(', ');
}

/** `3 pages drifted, 2 behind`: the same by pages. */
function formatUncountedPages(results: CheckResult[]): string {
  return groupUncounted(results)
    .map((group) => ({ pages: countPaths(group.results), words: wordsFor(group) }))
    .map(({ pages, words }, at) => `${at === 0 ? formatCount(pages, 'page') : pages} ${words}`)
    .join(', ');
}

function titleWithoutChanges(results: CheckResult[]): string {
  const uncounted = formatUncountedPages(results);
  return uncounted === ''
    ? `No visual changes${newPagesNote(results)}`
    : `No changes of this pull request (${uncounted})${newPagesNote(results)}`;
}

function verdictOfCompleted({ run, results }: CheckSituation): Verdict {
  const errors = results.filter(isError);
  const changed = results.filter(isChanged);
  if (errors.length > 0) {
    const also = changed.length === 0 ? '' : `; ${changed.length} changed`;
    return completed('failure', `${formatCount(countPaths(errors), 'page')} could not be captured${also}`);
  }
  switch (run.reviewState) {
    case 'PENDING': {
      const fresh = results.filter(isNewScreenshot).length;
      const uncounted = results.filter(isUncounted).length;
      const unchanged = results.length - changed.length - fresh - uncounted;
      const approved = changed.filter((result) => result.approved).length;
      const counts = [
        approved === 0 ? `${changed.length} changed` : `${changed.length} changed (${approved} approved)`,
        `${fresh} new`,
        `${unchanged} unchanged`,
        ...(uncounted === 0 ? [] : [formatUncounted(results)]),
      ];
      return completed('action_required', `${counts.join(', ')}: review required`);
    }
    case 'APPROVED':
      return completed('success', `${formatCount(changed.length, 'change')} approved by ${formatApprovers(changed)}`);
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

/** The title of a check whose run ended without a preview, with the names of the deployments; null for other reasons. */
function titleOfSearch(reason: EndReason | undefined, search: PreviewSearch | null): string | null {
  if (reason === 'preview_ambiguous' && search !== null) return whichPreview(search.candidates.length);
  const failed = search?.failed ?? null;
  if (failed === null || (reason !== 'preview_failed' && reason !== 'preview_skipped')) return null;
  return `The deployment of ${deployedName(failed)} ${reason === 'preview_failed' ? 'failed' : 'was skipped'}`;
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
  const title = `Capturing: ${settled} of ${formatCount(totalResults, 'screenshot')}`;
  return { status: 'in_progress', conclusion: null, title };
}

/** `7 changed, 2 new`; what a run found that has ended by itself. */
function formatFindings(results: CheckResult[]): string {
  const [changed, fresh, errors] = [isChanged, isNewScreenshot, isError].map((is) => results.filter(is).length);
  const counts = [
    ...(changed === 0 ? [] : [`${changed} changed`]),
    ...(fresh === 0 ? [] : [`${fresh} new`]),
    ...(results.some(isUncounted) ? [formatUncounted(results)] : []),
    ...(errors === 0 ? [] : [`${errors} not captured`]),
  ];
  return counts.length === 0 ? 'no visual changes' : counts.join(', ');
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Such a check never blocks, not even while it waits or captures. */
function verdictForInformation({ run, results }: CheckSituation, { title }: Verdict): Verdict {
  const isComplete = run.status === 'COMPLETED' && run.metadata?.reason === undefined && results.length > 0;
  const says = isComplete ? formatFindings(results) : lowerFirst(title);
  return completed('neutral', `Not gated: the base is ${cut(run.git?.baseBranch ?? 'unknown', MAX_BRANCH)} (${says})`);
}

/** Implements the check run table of contract 7. Pure. */
export function decideVerdict(situation: CheckSituation): Verdict {
  const verdict = verdictOfRun(situation);
  return situation.run.isGated ? verdict : verdictForInformation(situation, verdict);
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
