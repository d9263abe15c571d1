import { knownName } from '../../auth/user.ts';
import { readMaking } from '../../baselines/read-baselines.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { readIsOvertaken } from '../../pull-requests/pull-request-store.ts';
import type { ReviewedResult } from '../../review/list/review-row.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import type { ChangeRequest } from '../../review/verdicts/verdict.ts';
import { readIgnoredChange } from '../../runs/judging/ignore-change.ts';
import { COVERED } from '../../runs/judging/ignored-areas.ts';
import { isSaidDifferent } from '../../runs/judging/say-different-servers.ts';
import { mayDecide, type RunFor } from '../../runs/read-run.ts';
import type { Cause, PageResult } from '../../runs/results/result.ts';
import { readLoosening } from '../../runs/settings-change/read-settings.ts';
import { listDifferences } from '../../suites/config-file/settings-difference.ts';
import { formatCount, formatNumber, formatPercent } from '../../text/format.ts';
import { CUT, describeStability } from '../badge.ts';
import { imagePath } from '../comparison/read-image.ts';
import { linkAccess } from '../permissions.ts';
import { approvalOf } from './results/result-groups.ts';

const MOST = 5;

/** What the pull request changes in the settings, shown above each of its results until it is approved. */
async function readSettingsNote(ctx: Pick<Context, 'db'>, run: RunFor) {
  const found = await readLoosening(ctx, run);
  if (found === null) return null;
  return { href: `/runs/${run.id}#settings`, hash: found.hash, lines: listDifferences(found.loosening, MOST) };
}

function describe({ leftOut, baseStatus, baseScore, baseState, currentFile, error }: ReviewedResult): string | null {
  const amount = formatPercent(baseScore ?? 0);
  if (leftOut) {
    const left = 'The settings of this pull request leave this page out at this viewport.';
    if (currentFile === null)
      return `${left} It could not be captured with those of the base: ${error ?? 'no reason given'}`;
    const shows = baseStatus === 'FAIL' ? `It differs by ${amount}` : 'It does not differ';
    return `${left} ${shows} in this screenshot, which was captured with the settings of the base.`;
  }
  if (baseState === 'FAILED') return 'This page could not be captured with the settings of the base.';
  if (baseStatus === null) return null;
  return `With the settings of the base, this result would ${baseStatus === 'FAIL' ? 'differ' : 'pass: it differs'} by ${amount}.`;
}

/** What a result would have shown with the settings of the base. Null: the same, or unknown. */
function baseNote(config: Pick<Config, 'cdnBaseUrl'>, result: ReviewedResult) {
  const text = describe(result);
  if (text === null) return null;
  const { baseFile, baseDiffFile } = result;
  const image = (label: string, name: string | null) =>
    name === null ? [] : [{ label, url: imagePath(config, name) }];
  return {
    text,
    images: [...image('With the settings of the base', baseFile), ...image('What would differ', baseDiffFile)],
  };
}

/** `3 blocks moved down (6–54 px)`: what only moved, by its direction. */
export function describeMoves(moves: PageResult['moves']): string[] {
  const distances = (moves ?? []).map(({ baselineY, currentY }) => currentY - baselineY);
  return (['down', 'up'] as const).flatMap((way) => {
    const far = distances.filter((distance) => (way === 'down' ? distance > 0 : distance < 0)).map(Math.abs);
    if (far.length === 0) return [];
    const [least, most] = [Math.min(...far), Math.max(...far)];
    const range = least === most ? formatNumber(most) : `${formatNumber(least)}–${formatNumber(most)}`;
    return [`${formatCount(far.length, 'block')} moved ${way} (${range} px)`];
  });
}

function describeUnstable({ screenshots }: Pick<PageResult, 'screenshots'>): string {
  const times = screenshots === null ? '' : ` in ${formatNumber(screenshots)} screenshots`;
  return `Unstable: the page did not look the same each time${times}, so differences may come and go.`;
}

/**
 * What a reviewer should know before looking at the screenshots: that one is cut, unstable, of another size, or was
 * captured with warnings.
 * @param sizes such as `12 px taller`
 * @param access the page that sets the access to the site
 */
function listReviewWarnings(
  result: Pick<PageResult, 'cut' | 'stability' | 'screenshots' | 'warnings'>,
  sizes: string | null,
  access: string | null,
): { text: string; access: string | null }[] {
  const own = [
    ...(result.cut ? [CUT] : []),
    ...(result.stability === 'UNSTABLE' ? [describeUnstable(result)] : []),
    ...(sizes === null ? [] : [`The screenshots differ in size: the current one is ${sizes}.`]),
  ];
  const ofCapture = result.warnings.slice(0, MOST).map(({ code, message }) => ({
    text: code === COVERED ? `${message}.` : `Captured with a warning: ${message}`,
    access: code === 'login_page' ? access : null,
  }));
  return [...own.map((text) => ({ text, access: null })), ...ofCapture];
}

/** Further notes about the screenshot, in words. */
function resultFacts(result: ReviewedResult, isOvertaken: boolean) {
  const { faint, status, pageTitle } = result;
  const stability = describeStability(result);
  return {
    approval: approvalOf(result),
    lines: [
      ...(isOvertaken ? ['It did not become the baseline: something newer was the baseline by then.'] : []),
      ...(pageTitle === null ? [] : [pageTitle]),
      ...(status === 'FAIL' && faint ? ['Faint: hardly visible to most people'] : []),
      ...(stability === null ? [] : [stability]),
    ],
  };
}

/** Notes about the screenshot, and how many of them are reasons to look twice. */
export async function readNotes(
  ctx: Context,
  run: RunFor,
  result: ReviewedResult,
  { here, sizes, requests }: { here: string; sizes: string | null; requests: ChangeRequest[] },
) {
  const [cause, servers, settings, isOvertaken] = await Promise.all([
    causeNote(ctx, run, result),
    readServersNote(ctx, run, result, here),
    readSettingsNote(ctx, run),
    readIsOvertaken(ctx.db, run, result),
  ]);
  const base = baseNote(ctx.config, result);
  const warnings = listReviewWarnings(result, sizes, linkAccess(run.suite));
  const shownCause = result.leftOut ? null : cause;
  const count =
    requests.length + warnings.length + [base, shownCause, servers, settings].filter((note) => note !== null).length;
  return {
    requests,
    cause: shownCause,
    servers,
    settings,
    base,
    warnings,
    count,
    facts: resultFacts(result, isOvertaken),
  };
}

type Controlled = Pick<
  PageResult,
  'status' | 'cause' | 'controlState' | 'drifted' | 'diffRegions' | 'servers' | 'stability'
>;

/**
 * What the suite's own site shows about a difference that counts, or that it is being captured. Null if it was not
 * captured.
 */
export function describeControl(result: Controlled): string | null {
  const { status, cause, controlState, drifted, diffRegions, servers, stability } = result;
  if (controlState === 'DUE') {
    return status === 'PENDING' ? 'The page differs. Capturing the site itself to check whether it changed too.' : null;
  }
  if (status !== 'FAIL' || cause !== 'CHANGE' || controlState === null) return null;
  if (controlState === 'FAILED') {
    return 'The site itself could not be captured for comparison, so the difference counts. See the run’s log for the reason.';
  }
  if (servers === 'MAYBE_ONE') return null;
  if (stability === 'UNSTABLE') {
    return 'The page does not look the same each time, so the site cannot show whether the difference is the preview’s own.';
  }
  if (!drifted) return 'Only the preview changed. The site itself did not.';
  const regions = diffRegions ?? [];
  const shared = regions.filter(({ drift }) => drift === true).length;
  const what =
    shared === 0
      ? 'but not in the same way'
      : `and shares ${formatNumber(shared)} of ${formatNumber(regions.length)} differences (dashed outlines)`;
  return `The site itself has also changed, ${what}.`;
}

const WHY =
  'Nothing shows that the preview and the site are different servers: they may be one server with two names. So what both show counts as a change.';

function formOf(run: RunFor, differ: boolean, back: string) {
  if (!mayDecide(run)) return null;
  const label = differ ? 'These are different servers' : 'These may be one server';
  return { action: `/runs/${run.id}/servers`, differ, label, back };
}

/** Null when no result of the run is in doubt. */
export function serversNote({ run, doubted }: Pick<RunOverview, 'run' | 'doubted'>) {
  if (doubted === 0) return null;
  const what = `The site looks like the preview in ${formatCount(doubted, 'screenshot')}.`;
  return { text: `${what} ${WHY}`, form: formOf(run, true, `/runs/${run.id}`) };
}

/** For a result. Null if there is no doubt. */
async function readServersNote(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  { servers, cause, approved }: Pick<PageResult, 'servers' | 'cause' | 'approved'>,
  back: string,
) {
  if (servers === 'MAYBE_ONE' && !approved) {
    return { text: `The site looks the same now. ${WHY}`, form: formOf(run, true, back) };
  }
  if (cause !== 'DRIFT' || servers === 'DIFFERENT' || !(await isSaidDifferent(db, run))) return null;
  return { text: 'Someone said that the preview and the site are different servers.', form: formOf(run, false, back) };
}

type Told = Pick<ReviewedResult, 'causePullRequest' | 'causeVersion'>;

function explainBehind({ causePullRequest, causeVersion }: Told): string {
  const as = causeVersion === null ? 'like an earlier version of the baseline' : `like version ${causeVersion}`;
  return `the branch is behind its base. The page looks ${as}${causePullRequest === null ? '' : `, before #${causePullRequest}`}.`;
}

const TEXTS: Record<Exclude<Cause, 'CHANGE' | 'ENGINE' | 'IGNORED'>, (result: Told) => string> = {
  DRIFT: () => 'the site itself looks the same now.',
  BEHIND: explainBehind,
  FROM_PULL_REQUEST: ({ causePullRequest: number }) =>
    number === null
      ? 'the change is from another pull request.'
      : `the change is from #${number}, which this pull request is based on. Review it there.`,
};

async function explainEngine(ctx: Pick<Context, 'db'>, result: ReviewedResult): Promise<string> {
  const { baselineVersionId, captureEngine } = result;
  const making = await readMaking(ctx, baselineVersionId);
  const [before, now] = [making.captureEngine ?? 'an unknown browser', captureEngine ?? 'an unknown browser'];
  return `captured with a different browser, and the differences are faint. Baseline: ${before}; now: ${now}.`;
}

async function explain(ctx: Pick<Context, 'db'>, run: RunFor, result: ReviewedResult, cause: Exclude<Cause, 'CHANGE'>) {
  if (cause === 'ENGINE') return { text: await explainEngine(ctx, result), ignored: null };
  if (cause !== 'IGNORED') return { text: TEXTS[cause](result), ignored: null };
  if (result.status === 'PASS') return { text: 'all differences are in areas that this suite ignores.', ignored: null };
  const change = await readIgnoredChange(ctx, { ...result, run });
  if (change === null) return { text: 'this change was ignored when the run was evaluated.', ignored: null };
  const { createdAt, author, expiresAt, note } = change;
  const ignored = { at: createdAt, by: knownName(author), until: expiresAt, note };
  return { text: 'this change is ignored', ignored };
}

/** Null when the result counts. */
async function causeNote(ctx: Pick<Context, 'db'>, run: RunFor, result: ReviewedResult) {
  const { cause, status } = result;
  if (cause === null || cause === 'CHANGE') return null;
  const mayCount = status === 'FAIL' && mayDecide(run);
  return {
    ...(await explain(ctx, run, result, cause)),
    list: cause === 'IGNORED' ? `/suites/${run.testSuiteId}/ignored-changes` : null,
    countAction: mayCount ? `/runs/${run.id}/results/${result.id}/count` : null,
  };
}
