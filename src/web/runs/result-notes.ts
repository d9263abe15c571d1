import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { ReviewedResult } from '../../review/list/review-row.ts';
import type { ChangeRequest } from '../../review/verdicts/verdict.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { PageResult } from '../../runs/results/result.ts';
import { readLoosening } from '../../runs/settings-change/read-settings.ts';
import { listDifferences } from '../../suites/config-file/settings-difference.ts';
import { formatCount, formatNumber, formatPercent } from '../../text/format.ts';
import { imagePath } from '../comparison/read-image.ts';
import { linkAccess } from '../permissions.ts';
import { CUT, describeStability } from '../stability.ts';
import { causeNote, readServersNote } from './cause-note.ts';
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
    text: `Captured with a warning: ${message}`,
    access: code === 'login_page' ? access : null,
  }));
  return [...own.map((text) => ({ text, access: null })), ...ofCapture];
}

/** Further notes about the screenshot, in words. */
function resultFacts(result: ReviewedResult) {
  const { faint, status, pageTitle } = result;
  const stability = describeStability(result);
  return {
    approval: approvalOf(result),
    lines: [
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
  const [cause, servers, settings] = await Promise.all([
    causeNote(ctx, run, result),
    readServersNote(ctx, run, result, here),
    readSettingsNote(ctx, run),
  ]);
  const base = baseNote(ctx.config, result);
  const warnings = listReviewWarnings(result, sizes, linkAccess(run.suite));
  const shownCause = result.leftOut ? null : cause;
  const count =
    requests.length + warnings.length + [base, shownCause, servers, settings].filter((note) => note !== null).length;
  return { requests, cause: shownCause, servers, settings, base, warnings, count, facts: resultFacts(result) };
}
