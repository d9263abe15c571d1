import { z } from 'zod';

/** Ways to compare a baseline and a current screenshot, in the order in which they are offered. */
const MODES = ['side', 'swipe', 'onion', 'overlay', 'blink', 'single'] as const;
export type Mode = (typeof MODES)[number];

/** The images that the mode `single` can show. */
const SHOWS = ['baseline', 'current', 'difference'] as const;
export type Show = (typeof SHOWS)[number];

/**
 * `plain`: the original screenshots, aligned at their upper left corners, although they could be lined up. `control`:
 * the control screenshot instead of the baseline.
 */
const VIEWS = ['plain', 'control'] as const;

/** `unchanged`: without the bands of a page in which nothing differs. */
const FOLDS = ['unchanged'] as const;

/** Reads the mode from a URL. Unknown values give the default, so that an old link still shows the screenshots. */
export const choiceShape = {
  mode: z.enum(MODES).nullable().catch(null).default(null),
  show: z.enum(SHOWS).nullable().catch(null).default(null),
  view: z.enum(VIEWS).nullable().catch(null).default(null),
  fold: z.enum(FOLDS).nullable().catch(null).default(null),
};

/** Null: use the default for the images that exist. */
export type Choice = { [K in keyof typeof choiceShape]: z.output<(typeof choiceShape)[K]> };

export const MODE_LABELS: Record<Mode, { label: string; key: string | null }> = {
  side: { label: 'Side by side', key: 's' },
  swipe: { label: 'Swipe', key: 'w' },
  onion: { label: 'Onion skin', key: 'o' },
  overlay: { label: 'Differences', key: 'd' },
  blink: { label: 'Blink', key: 'b' },
  single: { label: 'Single', key: null },
};

export const SHOW_LABELS: Record<Show, string> = {
  baseline: 'Baseline',
  current: 'Current',
  difference: 'Diff',
};

type Available = Record<Show, boolean>;

function isPossible(mode: Mode, { baseline, current, difference }: Available): boolean {
  switch (mode) {
    case 'overlay':
      return current && difference;
    case 'single':
      return true;
    default:
      return baseline && current;
  }
}

/** The modes that are possible with the available images, and the one to show: the chosen one if it is possible. */
export function chooseView(
  { mode, show }: Pick<Choice, 'mode' | 'show'>,
  available: Available,
): { modes: Mode[]; shows: Show[]; mode: Mode; show: Show } {
  const modes = MODES.filter((each) => isPossible(each, available));
  const shows = SHOWS.filter((each) => available[each]);
  const settledShow = shows.find((each) => each === show) ?? (available.current ? 'current' : 'baseline');
  const settledMode = modes.find((each) => each === mode) ?? modes[0] ?? 'single';
  return { modes, shows, mode: settledMode, show: settledShow };
}
