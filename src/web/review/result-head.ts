import type { ReviewFilter } from '../../review/list/review-row.ts';
import type { ReviewResult } from '../../review/list/read-review-result.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { findSection } from '../../review/list/review-section.ts';
import type { Badge } from '../badge.ts';
import { SECTION_BADGES, decisionBadge } from '../badge.ts';
import { nameRun } from '../../runs/run-name.ts';
import { runPath } from '../runs/result-filter.ts';
import { describeStability } from '../stability.ts';
import type { ReviewAddress } from './review-path.ts';
import { reviewPath } from './review-path.ts';
import { formatNumber } from '../../text/format.ts';
import type { IconName } from '../icons.ts';

/** The content above the screenshots of a result. */
export type ResultHead = {
  suite: { name: string; href: string };
  run: { label: string; href: string };
  path: string;
  title: string | null;
  /** The URL of the page's baseline history. Null if the page was deleted. */
  history: string | null;
  /** The URL that was captured. */
  url: string;
  viewport: string;
  /** Links to the page at all its viewports. Empty if it has only one. */
  viewports: { name: string; size: string | null; href: string; current: boolean; icon: IconName; state: string }[];
  badge: Badge;
  diff: number | null;
  /** Whether most people would hardly see the difference. */
  isFaint: boolean;
  approval: { by: string | null; at: Date | null } | null;
  /** How steady the page was. Null if there is nothing to say. */
  stability: string | null;
  /** Such as `3 of 9`. */
  position: string;
  /** The whole state in one sentence, for screen readers. */
  news: string;
  /** URLs. Null if there is no such result. */
  ways: { previous: string | null; next: string | null; previousAny: string | null; nextAny: string | null };
};

function describePosition({ place, total }: ReviewResult, mainTotal: number): string {
  if (place === null) return 'not in this list';
  return place <= mainTotal
    ? `${formatNumber(place)} of ${formatNumber(mainTotal)}`
    : `${formatNumber(place - mainTotal)} of ${formatNumber(total - mainTotal)} that don’t need review`;
}

/**
 * `previous` and `next` lead through what wants something of somebody, and the other two through the whole list. When the
 * list has only results that need no review, all four do. From one of these, `previous` goes back to the others.
 */
function neighborLinks(
  { neighbors, place }: ReviewResult,
  mainTotal: number,
  { section }: ReviewFilter,
  hrefOf: (id: string | null) => string | null,
) {
  const { previous, next, previousLoud, nextLoud } = neighbors;
  const isWhole = section === undefined;
  const isResting = place !== null && place > mainTotal;
  return {
    previous: hrefOf(isWhole ? (previousLoud ?? (isResting ? previous : null)) : previous),
    next: hrefOf(isWhole ? nextLoud : next),
    previousAny: hrefOf(previous),
    nextAny: hrefOf(next),
  };
}

export function resultHead(
  { run, suite }: RunOverview,
  review: ReviewResult,
  address: ReviewAddress,
  mainTotal: number,
): ResultHead {
  const { result, ofSamePage } = review;
  const { pageId, pageTitle } = result;
  const sizes = new Map(run.config.viewports.map(({ name, width, height }) => [name, `${width} × ${height}`]));
  const { approvedBy, approvedAt } = result;
  const badge = SECTION_BADGES[findSection(result)];
  const position = describePosition(review, mainTotal);
  return {
    suite: { name: suite.name, href: `/suites/${suite.id}` },
    run: { label: nameRun(run), href: runPath(run.id, address.filter) },
    path: result.path,
    title: pageTitle,
    history: pageId === null ? null : `/suites/${suite.id}/pages/${pageId}`,
    url: result.url,
    viewport: result.viewport,
    viewports: (ofSamePage.length > 1 ? ofSamePage : []).map((row) => {
      const { icon, label } = decisionBadge(row) ?? SECTION_BADGES[row.section];
      const href = reviewPath(address, row.id);
      const size = sizes.get(row.viewport) ?? null;
      return { name: row.viewport, size, href, current: row.id === result.id, icon, state: label };
    }),
    badge,
    diff: result.status === 'FAIL' ? result.diffScore : null,
    isFaint: result.status === 'FAIL' && result.faint,
    approval: result.approved ? { by: approvedBy?.name ?? approvedBy?.email ?? null, at: approvedAt } : null,
    stability: describeStability(result),
    position,
    news: `${result.path} at ${result.viewport}: ${badge.label}, ${position}`,
    ways: neighborLinks(review, mainTotal, address.filter, (id) => (id === null ? null : reviewPath(address, id))),
  };
}
