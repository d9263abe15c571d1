import { z } from 'zod';

/** How long runs are kept: those of the last `days`, and of these the newest `runs`. 0: without limit. */
export type Limits = { days: number; runs: number };

/** The limits of a suite: its own settings, or those of the installation. */
export function limitsOf({ keepDays, keepRuns }: { keepDays: number; keepRuns: number }, installation: Limits): Limits {
  return { days: keepDays || installation.days, runs: keepRuns || installation.runs };
}

/** What is removed. `bytes`: of objects that nothing else names. */
export const Freed = z.object({ runs: z.number(), results: z.number(), bytes: z.number() });
export type Freed = z.output<typeof Freed>;

/** Null: no limits were asked for. */
export const limitsAsked = ({
  keepDays,
  keepRuns,
}: Partial<Record<'keepDays' | 'keepRuns', number | undefined>>): Limits | null =>
  keepDays === undefined && keepRuns === undefined ? null : { days: keepDays ?? 0, runs: keepRuns ?? 0 };

/**
 * Kinds of what is stored of a suite. An object that several rows name counts as the first of these. `elements`: element
 * maps and manifests. `copies`: smaller images and parts, made again on request. `left`: objects that no row names.
 */
export const STORED_KINDS = [
  'baselines',
  'screenshots',
  'diffs',
  'elements',
  'copies',
  'builds',
  'logs',
  'left',
] as const;
export type StoredKind = (typeof STORED_KINDS)[number];

/** How many objects (of logs: lines), and their bytes. */
export const Amount = z.object({ count: z.number(), bytes: z.number() });
export type Amount = z.output<typeof Amount>;

export type StoredAmounts = Record<StoredKind, Amount>;

export const noAmounts = (): StoredAmounts => ({
  baselines: { count: 0, bytes: 0 },
  screenshots: { count: 0, bytes: 0 },
  diffs: { count: 0, bytes: 0 },
  elements: { count: 0, bytes: 0 },
  copies: { count: 0, bytes: 0 },
  builds: { count: 0, bytes: 0 },
  logs: { count: 0, bytes: 0 },
  left: { count: 0, bytes: 0 },
});

export type SuiteStorage = { countedAt: Date; kinds: StoredAmounts };

export const sumBytes = (kinds: StoredAmounts): number =>
  STORED_KINDS.reduce((sum, kind) => sum + kinds[kind].bytes, 0);

declare module '../db/json.ts' {
  interface JsonColumns {
    'suite_storage.kinds': StoredAmounts;
  }
}
