import {
  CAUSE_WORDS,
  findOnlyPullRequest,
  groupUncounted,
  isChanged,
  type OtherCause,
} from '../../runs/results/result.ts';
import { formatCount, formatNumber, formatPercent, ifAny } from '../../text/format.ts';
import { inCell } from '../../text/markdown-code.ts';
import { readablePath } from '../../text/readable-path.ts';
import type { CheckLinks } from './check-links.ts';
import { isError, isNewScreenshot, type CheckResult } from './check.ts';

const MAX_PATH = 180;
const MAX_VIEWPORT = 64;

/** `number`: the pull request that all of them refer to. */
const EXPLANATIONS: Record<OtherCause, (number: string | null, results: number) => string> = {
  DRIFT: () => 'the site itself looks like this now',
  BEHIND: (number, results) =>
    `${results === 1 ? 'it matches' : 'they match'} the page before ${number === null ? 'a merge' : `${number}, which`} this branch doesn’t have`,
  FROM_PULL_REQUEST: (number) =>
    `the same as in ${number ?? 'a pull request'}, which this one is based on. Review it there`,
  ENGINE: () => 'faint, and captured with a different browser than the baseline',
  IGNORED: () => 'ignored by a reviewer',
};

const nameOf = (results: CheckResult[]): string | null => {
  const number = findOnlyPullRequest(results);
  return number === null ? null : `#${number}`;
};

/** Results that are shown together. `says` is visible when they are folded; `address` leads to their list. */
type Section = { says: string; address: string; results: CheckResult[]; isOpen: boolean };

/**
 * Results that could not be captured, changed ones, new ones, and, by cause, those that differ for another reason than
 * a change.
 */
function sort(results: CheckResult[], run: string): Section[] {
  const errors = results.filter(isError);
  // Results with a known change are listed under that change.
  const changed = results
    .filter((result) => isChanged(result) && (result.changeIds ?? []).length === 0)
    .sort((one, other) => (other.diffScore ?? 0) - (one.diffScore ?? 0));
  const fresh = results.filter(isNewScreenshot);
  const uncounted = groupUncounted(results).map(({ cause, results: its }) => ({
    says: `${formatCount(its.length, 'screenshot')} ${cause === 'BEHIND' ? 'out of date' : CAUSE_WORDS[cause]}: ${EXPLANATIONS[cause](nameOf(its), its.length)}`,
    address: `${run}?section=uncounted&cause=${cause}`,
    results: its,
    isOpen: false,
  }));
  const sections = [
    {
      says: `${formatCount(errors.length, 'screenshot')} could not be captured`,
      address: `${run}?section=error`,
      results: errors,
      isOpen: true,
    },
    {
      says: `${formatCount(changed.length, 'screenshot')} changed`,
      address: `${run}?section=changed`,
      results: changed,
      isOpen: false,
    },
    {
      says: `${formatCount(fresh.length, 'new screenshot')}: no baseline yet`,
      address: `${run}?section=new`,
      results: fresh,
      isOpen: false,
    },
    ...uncounted,
  ];
  return sections.filter((section) => section.results.length > 0);
}

function formatDifference(result: CheckResult): string {
  if (isError(result)) return 'error';
  if (isNewScreenshot(result)) return result.approved ? 'new, approved' : 'new';
  const percent = formatPercent(result.diffScore ?? 0);
  return result.approved ? `${percent}, approved` : percent;
}

function formatRow(result: CheckResult, links: CheckLinks): string {
  const look = `[${isError(result) ? 'See' : 'Review'}](${links.resultUrl(result.id)})`;
  return `| ${inCell(readablePath(result.path), MAX_PATH)} | ${inCell(result.viewport, MAX_VIEWPORT)} | ${formatDifference(result)} | ${look} |`;
}

/** GitHub reads Markdown in a `<details>` only between empty lines. */
function formatSection({ says, address, results, isOpen }: Section, rows: number, links: CheckLinks): string {
  const lines = results.slice(0, rows).map((result) => formatRow(result, links));
  const left = results.length - lines.length;
  const table = ['| Path | Viewport | Difference | |', '| --- | --- | --- | --- |', ...lines].join('\n');
  return [
    `<details${isOpen ? ' open' : ''}>\n<summary>${says}</summary>`,
    ...(lines.length === 0 ? [] : [table]),
    ...ifAny(left, `${lines.length === 0 ? 'All' : `…and ${formatNumber(left)} more`}: [see all](${address}).`),
    '</details>',
  ].join('\n\n');
}

/** Results, folded by kind, with at most `rows` rows altogether. Empty if no result needs a row. */
export function formatResults(results: CheckResult[], rows: number, links: CheckLinks): string[] {
  let left = rows;
  return sort(results, links.run).map((section) => {
    const shown = Math.min(left, section.results.length);
    left -= shown;
    return formatSection(section, shown, links);
  });
}
