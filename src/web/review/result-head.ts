import type { ReviewResult } from '../../review/list/read-review-result.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { findSection } from '../../review/list/review-section.ts';
import type { Badge } from '../badge.ts';
import { APPROVED_BADGE, SECTION_BADGES } from '../badge.ts';
import { runOrigin } from '../run-row.ts';
import { runPath } from '../runs/result-filter.ts';
import { describeCut, describeStability } from '../stability.ts';
import type { ReviewAddress } from './review-path.ts';
import { reviewPath } from './review-path.ts';

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
  viewports: { name: string; size: string | null; href: string; current: boolean; icon: string; state: string }[];
  badge: Badge;
  diff: number | null;
  /** Whether most people would hardly see the difference. */
  isFaint: boolean;
  approval: { by: string | null; at: Date | null } | null;
  /** How steady the page was. Null if there is nothing to say. */
  stability: string | null;
  /** A sentence about what the screenshot does not show. Null if it shows all. */
  cut: string | null;
  /** Such as `3 of 9`. */
  position: string;
  /** The whole state in one sentence, for screen readers. */
  news: string;
  /** URLs. Null if there is no such result. */
  ways: { previous: string | null; next: string | null; previousAny: string | null; nextAny: string | null };
};

function runLabel(run: RunOverview['run']): string {
  const { what, ref } = runOrigin(run);
  return ref === null ? what : `${what} ${ref}`;
}

function describePosition({ place, total }: ReviewResult, mainTotal: number): string {
  if (place === null) return 'not in this list';
  return place <= mainTotal
    ? `${place} of ${mainTotal}`
    : `${place - mainTotal} of ${total - mainTotal} that need no review`;
}

/**
 * After the last change, `next` goes on to new results and errors, and ends there. From an unchanged result, `previous`
 * goes to the last change, if there is one.
 */
function neighborLinks(
  { neighbors, place }: ReviewResult,
  mainTotal: number,
  hrefOf: (id: string | null) => string | null,
) {
  const { previous, next, previousChanged, nextChanged } = neighbors;
  const isNextMain = place === null || place < mainTotal;
  return {
    previous: hrefOf(place !== null && place <= mainTotal ? previous : (previousChanged ?? previous)),
    next: hrefOf(nextChanged ?? (isNextMain ? next : null)),
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
    run: { label: runLabel(run), href: runPath(run.id, address.filter) },
    path: result.path,
    title: pageTitle,
    history: pageId === null ? null : `/suites/${suite.id}/pages/${pageId}`,
    url: result.url,
    viewport: result.viewport,
    viewports: (ofSamePage.length > 1 ? ofSamePage : []).map((row) => {
      const { icon, label } = row.approved ? APPROVED_BADGE : SECTION_BADGES[row.section];
      const href = reviewPath(address, row.id);
      const size = sizes.get(row.viewport) ?? null;
      return { name: row.viewport, size, href, current: row.id === result.id, icon, state: label };
    }),
    badge,
    diff: result.status === 'FAIL' ? result.diffScore : null,
    isFaint: result.status === 'FAIL' && result.faint,
    approval: result.approved ? { by: approvedBy?.name ?? approvedBy?.email ?? null, at: approvedAt } : null,
    stability: describeStability(result),
    cut: result.cut ? describeCut() : null,
    position,
    news: `${result.path} at ${result.viewport}: ${badge.label}, ${position}`,
    ways: neighborLinks(review, mainTotal, (id) => (id === null ? null : reviewPath(address, id))),
  };
}
