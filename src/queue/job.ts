import type { z } from 'zod';

/**
 * Each worker thread runs the lanes in parallel. So a crawl of ten minutes delays no capture, and neither of them delays a
 * result, a judgement or a mail.
 */
export type Lane = 'page' | 'result' | 'crawl' | 'long' | 'short';

export const LANES: readonly Lane[] = ['page', 'result', 'crawl', 'long', 'short'];

export type LaneSettings = {
  /** How many jobs of the lane one thread runs at once, at most. Users share them (`share-places.ts`). */
  places: number;
  /**
   * A job that takes longer no longer counts as the one that is running, and the next one begins beside it. So it holds a
   * thread up for no longer than this. Null: nothing counts but the places.
   */
  slowAfterMs: number | null;
};

export const LANE_SETTINGS: Readonly<Record<Lane, LaneSettings>> = {
  // A slow page waits for its server, mostly. One user has three of six places at most, the next one two.
  page: { places: 6, slowAfterMs: 3_000 },
  // Large screenshots wait for each other (`compare-apart.ts`), and small ones pass them by.
  result: { places: 6, slowAfterMs: 1_000 },
  // A crawl waits for the site, mostly.
  crawl: { places: 6, slowAfterMs: null },
  long: { places: 1, slowAfterMs: null },
  // These wait for GitHub, a preview or a mail server.
  short: { places: 3, slowAfterMs: null },
};

/** One kind of job, as listed in `job-kinds.ts`. */
export type JobKind<P> = {
  /**
   * The job's payload. The schema also accepts the format of earlier versions, because such jobs may still be
   * waiting.
   */
  payload: z.ZodType<P>;
  lane: Lane;
  /** Lower values run first. Default: 0. */
  priority?: number;
  /**
   * The wait after failed attempt n is e^n seconds (2.7, 7.4, 20, 55, …). A worker that dies in the middle uses up an
   * attempt only after many deaths (`unlockWorkers`).
   */
  maxAttempts: number;
  /** Must be below 4 hours: graphile-worker treats older locks as stale. */
  maxMinutes: number;
  /** Only one job with this key waits at a time: see `keyMode` in `enqueue.ts`. Jobs without a key are independent. */
  key?: (payload: P) => string;
  /** The jobs of a queue run one at a time, across all hosts. A caller can also name a queue when it enqueues. */
  queue?: (payload: P) => string;
  /** The payload contains personal data and is never logged. */
  isPrivate?: boolean;
};

/** `attempt` counts from 1. `signal` aborts when the handler must stop. The job will run again, here or elsewhere. */
export type JobRun = { attempt: number; maxAttempts: number; signal: AbortSignal };
