import type { Region } from '../../compare/region.ts';
import { formatNumber } from '../../text/format.ts';
import type { Image } from './read-image.ts';
import { MODE_LABELS, SHOW_LABELS, chooseView } from './view-mode.ts';
import type { Choice, Mode, Show } from './view-mode.ts';

/** The text above a screenshot. */
type ImageLabel = {
  /** Such as `Baseline`. */
  name: string;
  /** Such as `version 2`. */
  detail: string | null;
  at: Date | null;
};

type Layer = Image & { show: Show; alt: string };

type ModeLink = { mode: Mode; label: string; href: string; key: string | null; current: boolean };
type ShowLink = { show: Show; label: string; href: string; current: boolean };

/**
 * What the partial `review/comparison-view` prints: two screenshots and their differences, with all modes of viewing
 * them.
 */
export type ComparisonView = {
  mode: Mode;
  show: Show;
  /** The size of the canvas in px. The upper left corners of the screenshots are at its upper left corner. */
  width: number;
  height: number;
  layers: { baseline: Layer | null; current: Layer | null; difference: Layer | null };
  /** Whether there are two screenshots to compare. */
  both: boolean;
  labels: { baseline: ImageLabel; current: ImageLabel };
  /** Where the screenshots differ, in px of the canvas. Null if they are equal, or if the regions are not known. */
  regions: Region[] | null;
  modes: ModeLink[];
  /** Empty unless there are several images to choose from. */
  shows: ShowLink[];
  /** Such as `12 px taller`. Null if both have the same size. */
  sizes: string | null;
};

export type ComparisonInput = {
  baseline: Image | null;
  current: Image | null;
  difference: Image | null;
  /** The screenshots as they are, where `baseline` and `current` are lined up. */
  plain?: { baseline: Image | null; current: Image | null };
  labels: { baseline: ImageLabel; current: ImageLabel };
  regions: Region[] | null;
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

function buildLayer(show: Show, image: Image | null, name: string, subject: string): Layer | null {
  return image === null ? null : { ...image, show, alt: `${name}: ${subject}` };
}

/** The space between a change and its outline in px. */
const MARGIN = 4;

function scaleOutlines(regions: Region[] | null, canvas: { width: number; height: number }): Region[] | null {
  if (regions === null || regions.length === 0) return null;
  return regions.map((region) => {
    const [x, y] = [Math.max(0, region.x - MARGIN), Math.max(0, region.y - MARGIN)];
    const right = Math.min(canvas.width, region.x + region.width + MARGIN);
    const bottom = Math.min(canvas.height, region.y + region.height + MARGIN);
    return { x, y, width: right - x, height: bottom - y };
  });
}

/** Null when there is no screenshot at all. */
export function comparisonView(input: ComparisonInput): ComparisonView | null {
  const { baseline, current, difference, labels, regions, subject, choice, addressOf } = input;
  const plain = input.plain ?? { baseline, current };
  const images = [baseline, current, difference].filter((image) => image !== null);
  if (baseline === null && current === null) return null;
  const available = { baseline: baseline !== null, current: current !== null, difference: difference !== null };
  const { modes, shows, mode, show } = chooseView(choice, available);
  const canvas = {
    width: Math.max(...images.map((image) => image.width)),
    height: Math.max(...images.map((image) => image.height)),
  };
  return {
    mode,
    show,
    ...canvas,
    layers: {
      baseline: buildLayer('baseline', baseline, labels.baseline.name, subject),
      current: buildLayer('current', current, labels.current.name, subject),
      difference: buildLayer('difference', difference, 'Diff image', subject),
    },
    both: baseline !== null && current !== null,
    labels,
    regions: scaleOutlines(regions, canvas),
    modes: modes.map((each) => ({
      mode: each,
      ...MODE_LABELS[each],
      href: addressOf({ mode: each, show: null }),
      current: each === mode,
    })),
    shows: (shows.length > 1 ? shows : []).map((each) => ({
      show: each,
      label: each === 'difference' ? SHOW_LABELS[each] : labels[each].name,
      href: addressOf({ mode: 'single', show: each }),
      current: each === show,
    })),
    sizes: describeSizes(plain.baseline, plain.current),
  };
}
