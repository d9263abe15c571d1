import type { Context } from '../../context.ts';
import { walkChanges } from '../../review/changes/list-changes.ts';
import type { ReviewResult } from '../../review/list/list-for-review.ts';
import type { ReviewFilter } from '../../review/list/review-row.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { formatNumber } from '../../text/format.ts';
import { decisionBadge, SECTION_BADGES } from '../badge.ts';
import { resultThumbnail } from '../comparison/read-image.ts';
import { reviewPath, type ReviewAddress } from './results/address.ts';
import type { ChangeWalk, Strip, Ways } from './results/change-walk.ts';

/** The steps from here. `nextUndecided` null: everything is decided. */
type Steps = { position: string; ways: Ways; nextUndecided: string | null; strip: Strip };

function describePosition({ place, total }: ReviewResult, mainTotal: number): string {
  if (place === null) return 'Not in this list';
  return place <= mainTotal
    ? `${formatNumber(place)} of ${formatNumber(mainTotal)}`
    : `${formatNumber(place - mainTotal)} of ${formatNumber(total - mainTotal)} that don’t need review`;
}

/**
 * `previous` and `next` lead through results that need attention, or through the list if it has only results that
 * don't. `before` and `after`: the same page at its other viewports.
 */
function resultWays(
  { neighbors, place, ofSamePage, result }: ReviewResult,
  mainTotal: number,
  { section }: ReviewFilter,
  hrefOf: (id: string) => string,
): Ways {
  const { previous, next, previousLoud, nextLoud } = neighbors;
  const isWhole = section === undefined;
  const isResting = place !== null && place > mainTotal;
  const at = ofSamePage.findIndex(({ id }) => id === result.id);
  const to = (id: string | null | undefined) => (id === null || id === undefined ? null : hrefOf(id));
  return {
    previous: to(isWhole ? (previousLoud ?? (isResting ? previous : null)) : previous),
    next: to(isWhole ? nextLoud : next),
    before: to(ofSamePage[at - 1]?.id),
    after: to(ofSamePage[at + 1]?.id),
  };
}

/** The page at all its viewports. */
function resultStrip({ ofSamePage, result }: ReviewResult, address: ReviewAddress): Strip {
  const items = ofSamePage.map((row) => ({
    href: reviewPath(address, row.id),
    label: `${row.path} at ${row.viewport}`,
    path: row.path,
    viewport: row.viewport,
    image: resultThumbnail(row),
    state: decisionBadge(row) ?? SECTION_BADGES[row.section],
    current: row.id === result.id,
  }));
  return { label: 'Viewports of this page', groups: items.length < 2 ? [] : [{ name: null, items }], left: null };
}

/** The changes come before the results without a known cause. */
async function joinChanges(
  ctx: Context,
  run: RunFor,
  address: ReviewAddress,
  { ways, nextUndecided }: Omit<Steps, 'strip'>,
) {
  if (ways.previous !== null && nextUndecided !== null) return { ways, nextUndecided };
  const { stops } = await walkChanges(ctx, run, null);
  const at = (stop: (typeof stops)[number] | undefined) =>
    stop === undefined ? null : reviewPath({ ...address, change: stop.key, filter: {} }, stop.resultId);
  return {
    ways: { ...ways, previous: ways.previous ?? at(stops.at(-1)) },
    nextUndecided: nextUndecided ?? at(stops.find(({ undecided }) => undecided > 0)),
  };
}

export async function readSteps(
  ctx: Context,
  run: RunFor,
  address: ReviewAddress,
  { review, walk, mainTotal }: { review: ReviewResult; walk: ChangeWalk | null; mainTotal: number },
): Promise<Steps> {
  if (walk !== null) return walk;
  const hrefOf = (id: string) => reviewPath(address, id);
  const steps = {
    position: describePosition(review, mainTotal),
    ways: resultWays(review, mainTotal, address.filter, hrefOf),
    nextUndecided: review.nextUnapproved === null ? null : hrefOf(review.nextUnapproved),
  };
  const joined = address.filter.rest === true ? await joinChanges(ctx, run, address, steps) : steps;
  return { ...steps, ...joined, strip: resultStrip(review, address) };
}
