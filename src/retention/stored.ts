import { z } from 'zod';

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
