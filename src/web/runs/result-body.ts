import type { Context } from '../../context.ts';
import { walkChanges } from '../../review/changes/list-changes.ts';
import type { ReviewResult } from '../../review/list/list-for-review.ts';
import type { ReviewFilter } from '../../review/list/review-row.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { readIgnoredAreas } from '../../runs/judging/ignored-areas.ts';
import { mayRerun, type RunFor } from '../../runs/read-run.ts';
import { listChangesOfResult } from '../../runs/results/read-changes.ts';
import { isInFlight } from '../../runs/run.ts';
import { formatNumber } from '../../text/format.ts';
import { namePlace } from '../../text/readable-path.ts';
import { APPROVED_BADGE, decisionBadge, DRIFT_BADGE, SECTION_BADGES } from '../badge.ts';
import { comparisonView } from '../comparison/comparison-view.ts';
import { readImage, readPair, resultThumbnail, type Tile } from '../comparison/read-image.ts';
import { RESULT_WAIT } from '../live-poll.ts';
import { linkAccess } from '../permissions.ts';
import { heardOfResult } from './heard.ts';
import { describeControl, describeMoves } from './result-notes.ts';
import { reviewPath, type ReviewAddress } from './results/address.ts';
import { CHANGE_BADGES, changeTitle } from './results/change-list.ts';
import type { ChangeWalk, Strip, Ways } from './results/change-walk.ts';

/** The steps from here. `nextUndecided` null: everything is decided. */
type Steps = { position: string; ways: Ways; nextUndecided: string | null; strip: Strip };

function errorModel(overview: RunOverview, { result }: ReviewResult, here: string) {
  if (result.status !== 'ERROR') return null;
  return {
    message: result.error ?? 'The screenshot could not be captured.',
    access: result.errorCode === 'wall' ? linkAccess(overview.run.suite) : null,
    rerun: mayRerun(overview.run) ? { action: `/runs/${overview.run.id}/rerun`, path: result.path, back: here } : null,
  };
}

/** Null: nothing is. */
function describeLost({ result }: ReviewResult, found: { baseline: boolean; current: boolean }): string | null {
  const lost = [
    ...(result.baselineFile !== null && !found.baseline ? ['baseline'] : []),
    ...(result.currentFile !== null && !found.current ? ['current screenshot'] : []),
  ];
  return lost.length === 0 ? null : `No longer in storage: ${lost.join(', ')}.`;
}

function describeMissing({ result }: ReviewResult): string | null {
  if (result.status === 'CANCELLED') return 'The run was cancelled before this screenshot was captured.';
  if (result.status === 'PENDING' && result.currentFile === null) return 'This screenshot has not been captured yet.';
  if (result.isNew) return 'First screenshot at this viewport. There is no baseline yet.';
  if (result.heardKey !== null && result.diffScore === 0)
    return 'No pixel differs. Assistive technology hears a difference.';
  return result.status === 'PASS' && result.diffScore === 0 ? 'Identical to the baseline.' : null;
}

function choosePoll({ run }: RunOverview, { status }: ReviewResult['result'], href: string, judging: boolean) {
  const isAwaited = judging || (status === 'PENDING' && isInFlight(run.status));
  return isAwaited ? { href, seconds: RESULT_WAIT } : null;
}

const plainLabel = (name: string, detail: string | null) => ({ name, detail, at: null });

async function readImages(ctx: Pick<Context, 'config' | 'storage'>, { result }: ReviewResult) {
  const { controlFile, baselineFile } = result;
  const [pair, difference, control] = await Promise.all([
    readPair(ctx, {
      plain: { baseline: result.baselineFile, current: result.currentFile },
      aligned: { baseline: result.alignedBaselineFile, current: result.alignedCurrentFile },
    }),
    readImage(ctx, result.diffFile),
    readImage(ctx, controlFile === baselineFile ? null : controlFile),
  ]);
  return { ...pair, difference, control };
}

async function readIgnored(
  ctx: Pick<Context, 'db' | 'storage' | 'log'>,
  { run }: RunOverview,
  { result }: ReviewResult,
  isPlain: boolean,
) {
  const canvas = result.ignoredBoxes ?? [];
  if (canvas.length === 0 || !isPlain) return { canvas, baseline: canvas, current: canvas };
  return { canvas, ...(await readIgnoredAreas(ctx, { ...result, run })) };
}

/** How many tiles of each image fill a window. */
const TILES_AHEAD = 2;

/** The top tiles of the images of the next result. */
async function listAhead(ctx: Pick<Context, 'config' | 'storage'>, { ahead }: ReviewResult): Promise<Tile[]> {
  const images = await Promise.all(ahead.map(async (name) => readImage(ctx, name)));
  return images.flatMap((image) => image?.tiles.slice(0, TILES_AHEAD) ?? []);
}

/** Whether the originals are shown although they could be lined up or shown with another one. */
const isPlainView = ({ plain, control }: Awaited<ReturnType<typeof readImages>>, { choice: { view } }: ReviewAddress) =>
  (plain !== undefined && view === 'plain') || (control !== null && view === 'control');

/** The content of the page below the head: the screenshots, or why there are none. */
export async function resultBody(
  ctx: Pick<Context, 'config' | 'db' | 'storage' | 'log'>,
  overview: RunOverview,
  review: ReviewResult,
  { address, judging }: { address: ReviewAddress; judging: boolean },
) {
  const { result } = review;
  const { baselineVersion } = result;
  const here = reviewPath(address, result.id);
  const [changes, images, ahead] = await Promise.all([
    result.status === 'FAIL' || result.heardIds !== null ? listChangesOfResult(ctx, result) : [],
    readImages(ctx, review),
    listAhead(ctx, review),
  ]);
  const { baseline, current } = images.plain ?? images;
  const lost = describeLost(review, { baseline: baseline !== null, current: current !== null });
  const comparison = comparisonView({
    ...images,
    labels: {
      baseline: plainLabel('Baseline', baselineVersion === null ? null : `version ${baselineVersion}`),
      current: plainLabel(result.isNew ? 'New' : 'Current', null),
    },
    regions: result.diffRegions,
    ignored: await readIgnored(ctx, overview, review, isPlainView(images, address)),
    subject: namePlace(result),
    choice: address.choice,
    addressOf: (choice) => reviewPath({ ...address, choice }, result.id),
  });
  const shown = result.status === 'FAIL' ? changes : [];
  const isFolded = comparison?.fold?.isOn === true;
  return {
    comparison,
    heard: heardOfResult(changes),
    changes: shown.map(({ element, summary, kind, drift, approvedAt }) => ({
      element: element === '' ? null : element,
      summary: changeTitle({ summary, kind }),
      badges: [CHANGE_BADGES[kind], ...(drift ? [DRIFT_BADGE] : []), ...(approvedAt === null ? [] : [APPROVED_BADGE])],
    })),
    control: describeControl(result),
    error: errorModel(overview, review, here),
    lost,
    isShown: current !== null,
    note: lost === null ? describeMissing(review) : null,
    poll: choosePoll(overview, result, judging ? reviewPath(address, result.id, { judging: 'wait' }) : here, judging),
    ahead,
    isRearranged: (images.plain !== undefined && address.choice.view === null) || isFolded,
    moves: describeMoves(result.moves),
  };
}

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
    label: namePlace(row),
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
