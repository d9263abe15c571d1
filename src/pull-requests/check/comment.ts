import { isChanged, isUncounted } from '../../runs/results/result.ts';
import { isInFlight } from '../../runs/run.ts';
import { formatNumber, ifAny, shortSha } from '../../text/format.ts';
import { inCode } from '../../text/markdown-code.ts';
import { formatGroups } from './check-groups.ts';
import type { CheckLinks } from './check-links.ts';
import { decideVerdict } from './check-verdict.ts';
import { isError, isNewScreenshot, type CheckResult, type RunCheck } from './check.ts';

/** What the comment says about a suite. */
export type CommentPart = { suiteName: string; check: RunCheck; links: CheckLinks };

const MAX_NAME = 100;
const MAX_TITLE = 120;
/** GitHub refuses 65,536 characters. Bytes are counted, which are never fewer. */
const MAX_BYTES = 65_000;
/** The changes of a suite, from most to fewest, until all parts fit. */
const GROUPS = [5, 3, 1, 0];
const MAX_PARTS = 50;

/** Hidden in the comment to find it again. Only comments of our own App are considered. */
export const commentMarker = (publicUrl: string): string => `<!-- pixelgate: ${publicUrl} -->`;

function formatCounts(results: CheckResult[]): string[] {
  const counted = [
    [results.filter(isChanged).length, 'changed'],
    [results.filter(isNewScreenshot).length, 'new'],
    [results.filter(isError).length, 'not captured'],
    [results.filter(isUncounted).length, 'not counted'],
  ] as const;
  const unchanged = results.length - counted.reduce((sum, [count]) => sum + count, 0);
  const all = [...counted, [unchanged, 'unchanged'] as const].filter(([count]) => count > 0);
  return all.length === 0 ? [] : [all.map(([count, what]) => `${formatNumber(count)} ${what}`).join(' · ')];
}

function formatPart({ suiteName, check, links }: CommentPart, groups: number): string {
  const { run, results, changes } = check;
  const ends = !isInFlight(run.status);
  const captures = !ends && run.git?.enqueued === true;
  const says = captures ? 'Capturing' : decideVerdict(check).title;
  return [
    `### ${inCode(suiteName, MAX_NAME)}`,
    [inCode(says, MAX_TITLE), ...(ends ? formatCounts(results) : []), `[Run #${run.number}](${links.run})`].join(' · '),
    // One level lower: the suite's name is the heading above.
    ...(ends
      ? formatGroups(changes, groups, { results, rows: 0, links }).map((text) =>
          text.startsWith('###') ? `#${text}` : text,
        )
      : []),
  ].join('\n\n');
}

/** Whether there is something to tell: before the first end of a run there is no comment. */
export const isCommentDue = (parts: CommentPart[]): boolean =>
  parts.some(({ check: { run } }) => !isInFlight(run.status) && run.status !== 'CANCELLED');

/** The comment on a pull request, with a part for each suite. It doesn't show progress, so it seldom changes. Pure. */
export function formatComment(
  parts: CommentPart[],
  { headSha, publicUrl }: { headSha: string; publicUrl: string },
): string {
  const shown = parts.slice(0, MAX_PARTS);
  const left = parts.length - shown.length;
  const write = (groups: number) =>
    [
      commentMarker(publicUrl),
      `## Visual review of ${shortSha(headSha)}`,
      ...shown.map((part) => formatPart(part, groups)),
      ...ifAny(left, `…and ${formatNumber(left)} more: see their checks.`),
    ].join('\n\n');
  const texts = GROUPS.map(write);
  return texts.find((text) => Buffer.byteLength(text) <= MAX_BYTES) ?? write(0);
}
