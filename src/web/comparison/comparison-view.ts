import { tilesIn } from '../../compare/tile.ts';
import type { Region } from '../../elements/region.ts';
import { formatNumber } from '../../text/format.ts';
import {
  foldBands,
  foldMarks,
  outlineChanges,
  type ChangeOnBoth,
  type FoldedCanvas,
  type Marks,
} from './fold-bands.ts';
import type { Image } from './read-image.ts';
import { chooseView, MODE_LABELS, SHOW_LABELS, type Choice, type Show } from './view-mode.ts';

/** The text above a screenshot. */
type ImageLabel = {
  /** Such as `Baseline`. */
  name: string;
  /** Such as `version 2`. */
  detail: string | null;
  at: Date | null;
};

type ComparisonInput = {
  baseline: Image | null;
  current: Image | null;
  difference: Image | null;
  /** The screenshots as they are, where `baseline` and `current` are lined up. */
  plain?: { baseline: Image | null; current: Image | null };
  /** The suite's own site, captured when the preview differed. */
  control?: Image | null;
  labels: { baseline: ImageLabel; current: ImageLabel };
  /** Where the screenshots differ, in px of the diff image. */
  regions: ChangeOnBoth[] | null;
  /** What was not compared, in px of the diff image, and in px of each screenshot as it is. */
  ignored?: { canvas: Region[]; baseline: Region[]; current: Region[] };
  /** What the screenshots show, for screen readers: `/prices at mobile`. */
  subject: string;
  choice: Choice;
  addressOf: (choice: Choice) => string;
};

function describeSizeChange(before: number, after: number, [more, less]: [string, string]): string[] {
  if (before === after) return [];
  return [`${formatNumber(Math.abs(after - before))} px ${after > before ? more : less}`];
}

function describeSizes(baseline: Image | null, current: Image | null): string | null {
  if (baseline === null || current === null) return null;
  const changes = [
    ...describeSizeChange(baseline.width, current.width, ['wider', 'narrower']),
    ...describeSizeChange(baseline.height, current.height, ['taller', 'shorter']),
  ];
  return changes.length === 0 ? null : changes.join(', ');
}

/**
 * One screenshot on the canvas, in bands with the tiles that they show. `tinted`: in the mode `overlay`, only what differs
 * is visible, in another color.
 */
function buildLayer(show: Show, image: Image | null, bands: FoldedCanvas['bands'], alt: string) {
  if (image === null) return null;
  const tilesOf = ({ top, height }: { top: number; height: number }) =>
    tilesIn({ from: top, to: top + height }).flatMap((at) => image.tiles[at] ?? []);
  const shown = bands.map((band) => ({ ...band, tiles: tilesOf(band) }));
  return { show, alt, url: image.url, tinted: show === 'difference', bands: shown };
}

const SITE_LABEL: ImageLabel = { name: 'Site now', detail: 'without this preview', at: null };

/** The screenshot is shown beside the site itself, with which nobody compared it. */
const showsSite = ({ control, choice }: Pick<ComparisonInput, 'control' | 'choice'>): boolean =>
  Boolean(control) && choice.view === 'control';

const NOTHING_IGNORED = { canvas: [], baseline: [], current: [] };

/** The images to show, and what to draw over them. The diff image fits only screenshots that are lined up as it is. */
function chooseImages({ baseline, current, difference, plain, control, choice, ...input }: ComparisonInput) {
  const regions = input.regions ?? [];
  const ignored = input.ignored ?? NOTHING_IGNORED;
  if (control && choice.view === 'control') {
    const marks = outlineChanges(regions, ignored, true);
    const left = { baseline: { changes: [], ignored: [] }, current: marks.current };
    return { baseline: control, current: plain?.current ?? current, difference: null, marks: left };
  }
  if (plain === undefined || choice.view !== 'plain') {
    const marks = outlineChanges(regions, { baseline: ignored.canvas, current: ignored.canvas }, false);
    return { baseline, current, difference, marks };
  }
  return { ...plain, difference: null, marks: outlineChanges(regions, ignored, true) };
}

function viewLinks({ plain, control, choice, addressOf }: ComparisonInput) {
  const views: [label: string, view: Choice['view']][] = [
    [plain === undefined ? 'Baseline' : 'Aligned', null],
    ...(plain === undefined ? [] : [['Plain', 'plain'] satisfies [string, Choice['view']]]),
    ...(control ? [['Site now', 'control'] satisfies [string, Choice['view']]] : []),
  ];
  if (views.length === 1) return [];
  const shown = Math.max(
    0,
    views.findIndex(([, view]) => view === choice.view),
  );
  return views.map(([label, view], at) => ({
    label,
    href: addressOf({ ...choice, view }),
    current: at === shown,
    next: at === (shown + 1) % views.length,
  }));
}

/** The canvas and what is drawn over it: whole, or without the bands in which nothing differs. */
function foldCanvas(images: Image[], marks: Marks, input: ComparisonInput) {
  const { choice, addressOf } = input;
  const width = Math.max(...images.map((image) => image.width));
  const height = Math.max(...images.map((image) => image.height));
  const differing = showsSite(input) ? [] : [...marks.baseline.changes, ...marks.current.changes];
  const folded = foldBands(differing, { width, height });
  const isOn = folded !== null && choice.fold === 'unchanged';
  const href = addressOf({ ...choice, fold: isOn ? null : 'unchanged' });
  const fold = folded === null ? null : { href, isOn, hidden: folded.hidden };
  if (!isOn) return { width, height, bands: [{ top: 0, height, at: 0 }], folds: [], fold, marks };
  return {
    width,
    height: folded.height,
    bands: folded.bands,
    folds: folded.folds,
    fold,
    marks: foldMarks(marks, folded),
  };
}

/** Null when there is no screenshot at all. */
export function comparisonView(input: ComparisonInput) {
  const { regions, subject, choice, addressOf } = input;
  const labels = showsSite(input) ? { ...input.labels, baseline: SITE_LABEL } : input.labels;
  const plain = input.plain ?? input;
  const { baseline, current, difference, marks } = chooseImages(input);
  const images = [baseline, current, difference].filter((image) => image !== null);
  if (baseline === null && current === null) return null;
  const available = { baseline: baseline !== null, current: current !== null, difference: difference !== null };
  const { modes, shows, mode, show } = chooseView(choice, available);
  const { bands, ...canvas } = foldCanvas(images, marks, input);
  return {
    mode,
    show,
    ...canvas,
    mainSizes: mode === 'side' ? '40vw' : '80vw',
    layers: {
      baseline: buildLayer('baseline', baseline, bands, `${labels.baseline.name}: ${subject}`),
      current: buildLayer('current', current, bands, `${labels.current.name}: ${subject}`),
      difference: buildLayer('difference', difference, bands, `Diff image: ${subject}`),
    },
    both: baseline !== null && current !== null,
    labels,
    changes: regions === null || regions.length === 0 ? null : regions.length,
    hasIgnored: marks.baseline.ignored.length + marks.current.ignored.length > 0,
    views: viewLinks(input),
    modes: modes.map((each) => ({
      mode: each,
      ...MODE_LABELS[each],
      href: addressOf({ ...choice, mode: each, show: null }),
      current: each === mode,
    })),
    shows: (shows.length > 1 ? shows : []).map((each) => ({
      show: each,
      label: each === 'difference' ? SHOW_LABELS[each] : labels[each].name,
      href: addressOf({ ...choice, mode: 'single', show: each }),
      current: each === show,
    })),
    sizes: describeSizes(plain.baseline, plain.current),
  };
}
