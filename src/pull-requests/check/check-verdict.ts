import { assertNever } from '../../errors.ts';
import { isChanged } from '../../runs/results/result.ts';
import { describeEnding, isInFlight, type EndReason } from '../../runs/run.ts';
import { formatCount, formatNumber, lowerFirst, shortSha } from '../../text/format.ts';
import { deployedName, whichPreview, type PreviewSearch } from '../previews/preview-search.ts';
import {
  countPaths,
  fitName,
  fitTitle,
  formatFindings,
  MAX_TITLE,
  titleOfApproved,
  titleOfApprovedSettings,
  titleOfPending,
  titleOfRequests,
  titleWithoutChanges,
} from './check-title.ts';
import {
  isError,
  passes,
  type CheckConclusion,
  type CheckResult,
  type CheckSituation,
  type OtherVerdict,
  type OwnSituation,
  type Verdict,
} from './check.ts';

/** The least number of characters of a branch in a title. */
const LEAST_BRANCH = 16;

const completed = (conclusion: CheckConclusion, title: string): Verdict => ({ status: 'completed', conclusion, title });

/** `3 pages could not be captured`; null without errors. */
function titleOfErrors(results: CheckResult[]): string | null {
  const pages = countPaths(results.filter(isError));
  return pages === 0 ? null : `${formatCount(pages, 'page')} could not be captured`;
}

function verdictOfCompleted({ run, results, settings, changes, requests }: OwnSituation): Verdict {
  const errors = titleOfErrors(results);
  const changed = results.filter(isChanged);
  if (errors !== null) {
    const also = changed.length === 0 ? '' : `; ${formatNumber(changed.length)} changed`;
    return completed('failure', errors + also);
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
  tracked_pages_removed: 'failure',
  // It blocks: GitHub may merge a draft by itself as soon as it is ready, before the run for that has started.
  draft_ignored: 'cancelled',
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
function verdictOfReason({ run: { status, metadata }, search }: OwnSituation): Verdict | null {
  const title = titleOfSearch(metadata?.reason, search) ?? describeEnding(metadata);
  if (isInFlight(status) || metadata?.reason === undefined || title === null) return null;
  const { reason } = metadata;
  // An earlier commit is still to be reviewed.
  const isFailed = reason === 'preview_skipped' && status === 'FAILED';
  return completed(isFailed ? 'failure' : CONCLUSIONS[reason], title);
}

function waiting({ run: { git }, search }: OwnSituation): Verdict {
  const candidates = search?.candidates.length ?? 0;
  if (candidates > 0) return { status: 'queued', conclusion: null, title: whichPreview(candidates) };
  const head = shortSha(git?.headSha ?? '');
  return { status: 'queued', conclusion: null, title: `Waiting for a preview deployment of ${head}` };
}

function capturing({ totalResults, results }: OwnSituation): Verdict {
  const settled = results.filter((result) => result.status !== 'PENDING').length;
  const title = `Capturing: ${formatNumber(settled)} of ${formatCount(totalResults, 'screenshot')}`;
  return { status: 'in_progress', conclusion: null, title };
}

/** An informational check never blocks, not even while it waits or captures. */
function verdictForInformation({ run, results }: OwnSituation, { title }: Verdict): Verdict {
  const isComplete = run.status === 'COMPLETED' && run.metadata?.reason === undefined && results.length > 0;
  const says = isComplete ? formatFindings(results) : lowerFirst(title);
  const base = run.git?.baseBranch ?? 'unknown';
  const withBase = (name: string) => `Not gated: the base is ${name} (${says})`;
  const cutBase = MAX_TITLE - withBase('').length < LEAST_BRANCH ? [] : [fitName(base, withBase)];
  return completed('neutral', fitTitle(withBase(base), ...cutBase, `Not gated (${says})`));
}

const CONFIGURED = '; configuration changed';

/** What the pull request changes about its own check must be visible without opening the check. */
function withConfigChange({ run: { git, status } }: OwnSituation, verdict: Verdict): Verdict {
  const used = git?.configChange?.used ?? [];
  if (used.length === 0 || isInFlight(status) || verdict.title.startsWith('Settings ')) return verdict;
  return { ...verdict, title: fitName(verdict.title, (title) => title + CONFIGURED) };
}

/** What the check says about its own run. Pure. */
export function decideOwnVerdict(situation: OwnSituation): Verdict {
  const verdict = verdictOfRun(situation);
  return situation.run.isGated ? withConfigChange(situation, verdict) : verdictForInformation(situation, verdict);
}

function verdictOfOther({ number, verdict }: OtherVerdict): Verdict {
  if (verdict.status !== 'completed') return { ...verdict, title: `Waiting for #${number}, which has the same commit` };
  return { ...verdict, title: fitTitle(`#${number}, same commit: ${verdict.title}`) };
}

/**
 * What the check says (docs/rules.md, Pull requests). GitHub goes by the newest check of a name at a commit, whatever
 * pull request it is of. So if several open ones have this head, the check passes only if all of theirs do. Pure.
 */
export function decideVerdict({ others, isPast, ...own }: CheckSituation): Verdict {
  const said = others.map(({ number, verdict }) => ({ verdict, shown: verdictOfOther({ number, verdict }) }));
  const verdict = decideOwnVerdict(own);
  const all = isPast && said.length > 0 ? said : [{ verdict, shown: verdict }, ...said];
  return (all.find((each) => !passes(each.verdict)) ?? all[0])?.shown ?? verdict;
}

function verdictOfRun(situation: OwnSituation): Verdict {
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
      return completed('failure', titleOfErrors(situation.results) ?? 'The run failed');
    case 'CANCELLED':
      return completed('cancelled', 'The run was cancelled');
    default:
      return assertNever(run.status);
  }
}
