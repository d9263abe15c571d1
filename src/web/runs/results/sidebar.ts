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

type Window = { start: number; end: number };

const NOTHING: ReturnType<typeof sidebarPart> = { items: [], folded: [], earlier: null, later: null };

/** How many of the filtered rows are on pages that need attention. If the filter selects a section, all of them do. */
export function countMain(
  { section }: ReviewFilter,
  { total, inMain }: Pick<ReviewResult, 'total' | 'inMain'>,
): number {
  return section === undefined ? inMain : total;
}

function sidebarPart(rows: ReviewRow[], before: ReviewRow | undefined, input: SidebarInput, window: Window) {
  const { address, overview, currentId, total, mainTotal } = input;
  const isWhole = !isAnySet(address.filter);
  const [first, last] = window.start < mainTotal ? [0, mainTotal] : [mainTotal, total];
  const end = window.start + rows.length;
  const items = rows.map((row, index) => {
    const { section, cause } = row.heading;
    const isFirst = isOtherPart(row.heading, (index === 0 ? before : rows[index - 1])?.heading);
    // The heading of the collapsed section already says it.
    const isTold =
      window.start >= mainTotal && (section === 'passed' || overview.counts.passed === 0) && cause === null;
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
      window.start > first
        ? reviewPath(address, currentId, { list: Math.max(first, window.start - PART), until: window.start })
        : null,
    later: end < last ? reviewPath(address, currentId, { list: end }) : null,
  };
}

/** Also reads the row before the window, to tell whether a section starts with the first row. */
async function readWindow(ctx: Pick<Context, 'db'>, input: SidebarInput, window: Window) {
  const offset = Math.max(0, window.start - 1);
  const rows = await listReviewRows(ctx, input.overview.run, input.address.filter, {
    offset,
    limit: window.end - offset,
  });
  return window.start === 0
    ? sidebarPart(rows, undefined, input, window)
    : sidebarPart(rows.slice(1), rows[0], input, window);
}

function windowAt(start: number, input: SidebarInput, until: number | null): Window {
  const { mainTotal, total } = input;
  const last = start < mainTotal ? mainTotal : total;
  return { start, end: Math.min(last, start + PART, until ?? last) };
}

/** Only one part of the list, from the given place. */
export async function readSidebarPart(
  ctx: Pick<Context, 'db'>,
  input: SidebarInput,
  { start, until }: { start: number; until: number | null },
) {
  return readWindow(ctx, input, windowAt(start, input, until));
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
    mainTotal === 0 ? NOTHING : readWindow(ctx, input, windowAt(isResting ? 0 : start, input, null)),
    isResting ? readWindow(ctx, input, windowAt(start, input, null)) : folded,
  ]);
  const label = labelOfRest(input.overview.counts);
  return { main, rest: total > mainTotal ? { label, count: total - mainTotal, open: isResting, part: rest } : null };
}
