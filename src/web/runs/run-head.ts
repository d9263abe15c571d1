import { personName } from '../../auth/user.ts';
import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { webAddress } from '../../github/app/addresses.ts';
import { describeConfigChange } from '../../pull-requests/check/check-settings.ts';
import { describeEffect, describeHeld } from '../../review/approval/describe-decision.ts';
import { listApprovers, type RunOverview } from '../../review/overview/read-run-overview.ts';
import { readReviewSpan } from '../../review/verdicts/read-verdicts.ts';
import { buildName } from '../../runs/builds/build.ts';
import { readPeople } from '../../runs/list/list-runs.ts';
import { describeBeginning, describeSubject, runNumber } from '../../runs/run-name.ts';
import { isDecidable, isInBase, isInFlight, runTarget, type Run } from '../../runs/run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import type { CodeHostLink } from '../../suites/suite.ts';
import { formatCount, shortSha } from '../../text/format.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { runBadge, type Badge } from '../badge.ts';
import type { IconName } from '../icons.ts';
import type { Can } from '../permissions.ts';
import { countSeconds, runIcon } from '../run-row.ts';
import { LISTS } from '../suites/suite-head.ts';

type ReviewProgress = NonNullable<Awaited<ReturnType<typeof readReviewProgress>>>;

const link = (label: string, href: string, icon: IconName) => ({ label, href, icon });

/** Makes a URL from an external source safe to link to. Null if it is not http or https. */
function webUrl(address: string | undefined): string | null {
  const url = address === undefined ? null : parseUrl(address);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null;
}

const withoutScheme = (address: string) => address.replace(/^https?:\/\//, '').replace(/\/$/, '');

function onGitHub(config: Config, { owner, repo }: CodeHostLink, git: NonNullable<Run['git']>) {
  const repository = `${webAddress(config)}/${owner}/${repo}`;
  const { prNumber, headSha, branch } = git;
  const tree = (branch ?? '').split('/').map(encodeURIComponent).join('/');
  const inRepository = (label: string, path: string, icon: IconName) => link(label, `${repository}/${path}`, icon);
  return [
    prNumber === undefined
      ? null
      : inRepository(`${owner}/${repo}#${prNumber}`, `pull/${prNumber}`, 'git-pull-request'),
    headSha === undefined ? null : inRepository(shortSha(headSha), `commit/${headSha}`, 'git-commit'),
    prNumber !== undefined || branch === undefined
      ? null
      : inRepository(`${owner}/${repo}`, `tree/${tree}`, 'mark-github'),
  ].filter((each) => each !== null);
}

function runLinks(config: Config, { run }: RunOverview) {
  const preview = webUrl(run.git?.previewUrl);
  const own = preview ?? (run.runType === 'PR' ? null : webUrl(run.targetBaseUrl));
  // A build is captured at the suite's address, but that address shows something else.
  const site = run.buildId === null ? own : null;
  const { codehost } = run.suite;
  return [
    ...(site === null ? [] : [link(withoutScheme(site), site, 'link-external')]),
    ...(codehost === null || run.git === null ? [] : onGitHub(config, codehost, run.git)),
  ];
}

/** Badges of a run. A failed run may still have changes to review. */
function runBadges(run: Run): Badge[] {
  const isFailedWithChanges = run.status === 'FAILED' && run.reviewState !== 'NOT_REQUIRED';
  return isFailedWithChanges ? [runBadge(run), runBadge({ ...run, status: 'COMPLETED' })] : [runBadge(run)];
}

function describeChange({ git }: Run): string | null {
  if (git?.configChange === undefined) return null;
  return describeConfigChange(git.configChange, git.baseBranch).join(' ');
}

function describeProven({ metadata }: Run) {
  const { provenScreenshots: screenshots, totalScreenshots = 0 } = metadata ?? {};
  return screenshots === undefined ? null : { screenshots, captured: totalScreenshots - screenshots };
}

/** The content at the top of every page about a run. */
export async function readRunHead(ctx: Pick<Context, 'config' | 'db'>, overview: RunOverview) {
  const { run } = overview;
  const { suite } = run;
  const [approvers, people] = await Promise.all([listApprovers(ctx, overview), readPeople(ctx, [run])]);
  const { what, ref } = describeSubject(run);
  const { startedAt, endedAt } = run;
  const over = !isInFlight(run.status);
  return {
    crumbs: [
      LISTS[suite.kind],
      { label: suite.name, href: `/suites/${suite.id}` },
      { label: 'Runs', href: `/suites/${suite.id}/runs` },
    ],
    title: `${runNumber(run)} ${what}`,
    pageTitle: [`${runNumber(run)} ${what}`, ref, suite.name].filter((part) => part !== null).join(' · '),
    icon: runIcon(run),
    ref,
    baseBranch: run.git?.baseBranch ?? null,
    isGated: run.isGated,
    configChange: describeChange(run),
    badges: runBadges(run),
    isNoPreview: run.runType === 'BRANCH' && runTarget(suite, run).isOwnSite,
    build: run.buildId === null ? null : buildName(run.buildId),
    links: runLinks(ctx.config, overview),
    proven: describeProven(run),
    removedPages: run.metadata?.removedPages,
    begun: describeBeginning(run, people),
    cancelledBy: people.get(run.cancelledById ?? ''),
    message: run.git?.message ?? null,
    createdAt: run.createdAt,
    startedAt,
    endedAt: over ? endedAt : null,
    seconds: over ? countSeconds(run) : null,
    approvals: approvers.map(({ user, results, lastAt }) => ({ name: personName(user), results, lastAt })),
  };
}

/** Null if there is nothing to decide, or not yet. */
export async function readReviewProgress(
  ctx: Pick<Context, 'db' | 'clock'>,
  { run, toDecide: total, undecided: left }: RunOverview,
) {
  if (!isDecidable(run.status) || total === 0) return null;
  const span = await readReviewSpan(ctx, run);
  const end = left === 0 ? span?.endedAt : ctx.clock.now();
  const seconds = span === null || end === undefined ? null : (end.getTime() - span.startedAt.getTime()) / 1000;
  return { decided: total - left, total, left, seconds: seconds === null ? null : Math.max(0, seconds) };
}

function describeState({ run, toDecide, undecided, counts }: RunOverview, changes: number, others: number): string {
  const left = [
    ...(changes > 0 ? [formatCount(changes, 'change')] : []),
    ...(others > 0 ? [formatCount(others, changes > 0 ? 'other screenshot' : 'screenshot')] : []),
  ];
  if (undecided > 0) return `${left.join(' and ')} to review`;
  if (run.changeRequests > 0) return 'Changes are requested';
  if (settingsReview(run) === 'PENDING') return 'The settings above need an approval';
  const done = toDecide > 0 ? 'Everything is approved' : 'Nothing to review';
  return counts.error === 0 ? done : `${done}, but ${formatCount(counts.error, 'screenshot')} could not be captured`;
}

/**
 * Null if there is nothing to decide, or the run can't be decided.
 * @param isMine whether the viewer asked for changes of the run
 * @param changes how many changes are undecided, and `others`: how many results without a known one
 */
export function runBar(
  overview: RunOverview,
  about: { can: Can; isMine: boolean; progress: ReviewProgress | null; changes: number; others: number },
) {
  const { can, isMine, progress, changes, others } = about;
  const { run, unapproved, undecided, undoable, total } = overview;
  if (!isDecidable(run.status)) return null;
  if (unapproved === 0 && undoable === 0 && !isMine && run.reviewState === 'NOT_REQUIRED') return null;
  const held = unapproved - undecided;
  const noteLength = NOTE_MAX_LENGTH;
  return {
    state: describeState(overview, changes, others),
    held: held > 0 ? describeHeld(held) : null,
    effect: describeEffect(run),
    progress,
    seen: run.verdictNumber,
    review:
      undecided > 0
        ? {
            href: `/runs/${run.id}/review?results=only`,
            label: `Review ${changes === 0 ? formatCount(others, 'screenshot') : formatCount(changes, 'change')}`,
          }
        : null,
    approve: can.approve && undecided > 0 ? { action: `/runs/${run.id}/approve`, noteLength } : null,
    request:
      can.approve && total > 0 && !isInBase(run) && !isMine
        ? { action: `/runs/${run.id}/request-changes`, noteLength }
        : null,
    withdraw: can.approve && isMine ? { action: `/runs/${run.id}/undo` } : null,
  };
}
