import type { Context } from '../../../context.ts';
import { listReviewRows, type ReviewResult } from '../../../review/list/list-for-review.ts';
import type { ReviewFilter, ReviewRow } from '../../../review/list/review-row.ts';
import type { RunOverview } from '../../../review/overview/read-run-overview.ts';
import { capitalize } from '../../../text/format.ts';
import { isAnySet } from '../../web-route.ts';
import { reviewPath, type ReviewAddress } from './address.ts';
import { foldFaint, headingOf, isFaintChange, isOtherPart, resultRow } from './result-groups.ts';

/** Rows in one part of the list. These are more than fit on a screen. */
const PART = 50;

/** Rows above the open one. They show its place in the list. */
const ABOVE = 15;

type SidebarInput = {
  address: ReviewAddress;
  overview: RunOverview;
  currentId: string;
  /** How many rows match the filter, and how many of those are in `main`. */
  total: number;
  mainTotal: number;
};

const NOTHING: ReturnType<typeof sidebarPart> = { items: [], folded: [], earlier: null, later: null };

/** How many of the filtered rows are on pages that need attention. If the filter selects a section, all of them do. */
export function countMain(
  { section }: ReviewFilter,
  { total, inMain }: Pick<ReviewResult, 'total' | 'inMain'>,
): number {
  return section === undefined ? inMain : total;
}

function sidebarPart(rows: ReviewRow[], before: ReviewRow | undefined, input: SidebarInput, start: number) {
  const { address, overview, currentId, total, mainTotal } = input;
  const isWhole = !isAnySet(address.filter);
  const [first, last] = start < mainTotal ? [0, mainTotal] : [mainTotal, total];
  const end = start + rows.length;
  const items = rows.map((row, index) => {
    const { section, cause } = row.heading;
    const isFirst = isOtherPart(row.heading, (index === 0 ? before : rows[index - 1])?.heading);
    // The heading of the collapsed section already says it.
    const isTold = start >= mainTotal && (section === 'passed' || overview.counts.passed === 0) && cause === null;
    const heading = headingOf(overview, row.heading, isWhole);
    const listed = { ...resultRow(row, { ...address, currentId }), href: reviewPath(address, row.id) };
    return { heading: isFirst && !isTold ? heading : null, row: listed, isFaint: isFaintChange(row) };
  });
  return {
    items,
    folded: foldFaint(
      items,
      ({ isFaint }) => isFaint,
      ({ row }) => row.current,
    ),
    earlier:
      start > first ? reviewPath(address, currentId, { list: Math.max(first, start - PART), until: start }) : null,
    later: end < last ? reviewPath(address, currentId, { list: end }) : null,
  };
}

/**
 * One part of the list, from the given place. Also reads the row before it, to tell whether a section starts with the
 * first row.
 */
export async function readSidebarPart(
  ctx: Pick<Context, 'db'>,
  input: SidebarInput,
  start: number,
  until: number | null = null,
) {
  const { mainTotal, total, overview, address } = input;
  const last = start < mainTotal ? mainTotal : total;
  const end = Math.min(last, start + PART, until ?? last);
  const offset = Math.max(0, start - 1);
  const rows = await listReviewRows(ctx, overview.run, address.filter, { offset, limit: end - offset });
  return start === 0 ? sidebarPart(rows, undefined, input, 0) : sidebarPart(rows.slice(1), rows[0], input, start);
}

/** The non-empty sections of the folded results. */
function labelOfRest({ uncounted, passed }: RunOverview['counts']): string {
  const sections = [...(uncounted > 0 ? ['not counted'] : []), ...(passed > 0 ? ['unchanged'] : [])].join(', ');
  return sections === '' ? 'Cancelled' : capitalize(sections);
}

/** @param at the place to show, from 0. If `exact`, the list starts there. Otherwise it also shows some rows above. */
export async function readSidebar(
  ctx: Pick<Context, 'db'>,
  input: SidebarInput,
  { at, exact }: { at: number; exact: boolean },
) {
  const { mainTotal, total } = input;
  const isResting = at >= mainTotal && total > mainTotal;
  const start = exact ? at : Math.max(isResting ? mainTotal : 0, at - ABOVE);
  const folded = { ...NOTHING, later: reviewPath(input.address, input.currentId, { list: mainTotal }) };
  const [main, rest] = await Promise.all([
    mainTotal === 0 ? NOTHING : readSidebarPart(ctx, input, isResting ? 0 : start),
    isResting ? readSidebarPart(ctx, input, start) : folded,
  ]);
  const label = labelOfRest(input.overview.counts);
  return { main, rest: total > mainTotal ? { label, count: total - mainTotal, open: isResting, part: rest } : null };
}
