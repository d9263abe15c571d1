import type { Context } from '../../../context.ts';
import type { ChangeStop, Occurrence, Variant } from '../../../review/changes/change-group.ts';
import { NO_VARIANTS, readVariants, walkChanges, type VariantsOfGroup } from '../../../review/changes/list-changes.ts';
import { readRest } from '../../../review/list/list-for-review.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import { formatCount, formatNumber } from '../../../text/format.ts';
import { namePlace } from '../../../text/readable-path.ts';
import { decisionBadge } from '../../badge.ts';
import { cropImage } from '../../comparison/read-image.ts';
import { reviewPath, type ReviewAddress } from './address.ts';
import { changeTitle, stopBadge } from './change-list.ts';

/**
 * How many variants of a change are shown at once, and how many results of each. Variants that are not shown are not
 * approved.
 */
const VARIANTS = 24;
const RESULTS = 60;

type StripItem = ReturnType<typeof stripItem>;

/** `left`: how many are not shown. */
export type Strip = { label: string; groups: { name: string | null; items: StripItem[] }[]; left: string | null };

/**
 * The links from here. `previous` and `next`: to other decisions; `before` and `after`: to other screenshots of this
 * decision.
 */
export type Ways = { previous: string | null; next: string | null; before: string | null; after: string | null };

export type ChangeWalk = NonNullable<Awaited<ReturnType<typeof readChangeWalk>>>;

/** One screenshot in the strip below the picture. */
function stripItem(occurrence: Occurrence, isVaried: boolean, address: ReviewAddress, current: string) {
  const { resultId, path, viewport, approved, held } = occurrence;
  const image = isVaried ? (occurrence.wholeAfter ?? occurrence.wholeBefore) : (occurrence.after ?? occurrence.before);
  return {
    href: reviewPath(address, resultId),
    label: namePlace(occurrence),
    path,
    viewport,
    image: cropImage(image, isVaried),
    state: decisionBadge({ approved, changesRequested: held }),
    current: resultId === current,
  };
}

function stripOf(
  { count }: ChangeStop,
  { total, variants }: VariantsOfGroup,
  address: ReviewAddress,
  current: string,
): Strip {
  const isVaried = total > 1;
  const shown = variants.reduce((sum, { occurrences }) => sum + occurrences.length, 0);
  const groups = variants.map(({ occurrences, pending, count: much }: Variant, at) => ({
    name: isVaried ? `Variant ${at + 1}: ${formatCount(much, 'screenshot')}${pending === 0 ? ', decided' : ''}` : null,
    items: occurrences.map((occurrence) => stripItem(occurrence, isVaried, address, current)),
  }));
  const left = count - shown;
  const label = `Where this change shows: ${formatCount(count, 'screenshot')}`;
  return { label, groups, left: left <= 0 ? null : `and ${formatCount(left, 'more screenshot')}` };
}

/** The first undecided one after this one, starting over at the end. */
function findNextUndecided(stops: ChangeStop[], { number, key }: ChangeStop): ChangeStop | undefined {
  const open = stops.filter((stop) => stop.undecided > 0 && stop.key !== key);
  return open.find((stop) => stop.number > number) ?? open[0];
}

/** In the words of the bar, which counts what is undecided. */
const describeRest = ({ count, undecided }: { count: number; undecided: number }) =>
  undecided === 0 ? formatCount(count, 'other screenshot') : `${formatCount(undecided, 'other screenshot')} to review`;

/** Null if the run has no such change. */
export async function readChangeWalk(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  address: ReviewAddress & { change: string },
  resultId: string,
) {
  const { change: key, runId } = address;
  const [{ stops, total }, found, rest] = await Promise.all([
    walkChanges(ctx, run, key),
    readVariants(ctx, run, [key], { limit: VARIANTS, results: RESULTS }),
    readRest(ctx, run),
  ]);
  const stop = stops.find((each) => each.key === key);
  if (stop === undefined) return null;
  const variants = found.get(key) ?? NO_VARIANTS;
  const at = (each: ChangeStop | undefined) => each && reviewPath({ ...address, change: each.key }, each.resultId);
  const inRest = (id: string | null) => id && reviewPath({ ...address, change: null, filter: { rest: true } }, id);
  const strip = stripOf(stop, variants, address, resultId);
  const items = strip.groups.flatMap((group) => group.items);
  const here = items.findIndex(({ current }) => current);
  const neighbor = (by: number) => stops.find(({ number }) => number === stop.number + by);
  const nextOpen = findNextUndecided(stops, stop);
  // What is shown is approved at once. Then the rest of the change comes first.
  const shown = variants.variants.reduce((sum, { undecided }) => sum + undecided, 0);
  const isRest = stop.undecided > shown;
  return {
    stop,
    variants,
    position: `Change ${formatNumber(stop.number)} of ${formatNumber(total)}`,
    ways: {
      previous: at(neighbor(-1)) ?? null,
      next: at(neighbor(1)) ?? inRest(rest.first),
      before: here > 0 ? (items[here - 1]?.href ?? null) : null,
      after: items[here + 1]?.href ?? null,
    },
    nextUndecided: isRest ? `/runs/${runId}/changes/${key}` : (at(nextOpen) ?? inRest(rest.firstUndecided)),
    strip,
    rows: stops.map((each) => ({
      key: each.key,
      href: at(each) ?? '',
      summary: changeTitle(each),
      much: formatCount(each.count, 'screenshot'),
      image: cropImage(each.afterCrop ?? each.beforeCrop, false),
      state: stopBadge(each),
      isFaint: each.faint,
      current: each.key === key,
    })),
    rest:
      rest.first === null ? null : { href: inRest(rest.firstUndecided ?? rest.first) ?? '', label: describeRest(rest) },
  };
}
