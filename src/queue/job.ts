import type { z } from 'zod';

/**
 * Each worker thread runs the lanes in parallel. So a crawl of ten minutes delays no capture, and neither of them delays a
 * result, a judgement or a mail.
 */
export type Lane = 'page' | 'result' | 'crawl' | 'long' | 'short';

export const LANES: readonly Lane[] = ['page', 'result', 'crawl', 'long', 'short'];

/** How much of a lane is under way at once in one thread. Users share it (`places.ts`). */
export const LANE_PLACES: Readonly<Record<Lane, number>> = {
  // Pages that are open in the browser. They wait for their server and for rest, mostly.
  page: 6,
  // Large screenshots wait for each other (`compare-apart.ts`), and small ones pass them by.
  result: 6,
  // A crawl waits for the site, mostly.
  crawl: 6,
  long: 1,
  // These wait for GitHub, a preview or a mail server.
  short: 3,
};

/**
 * How often a worker may die beside a job, or beside a page that a job works on, at no cost to it. Services are restarted, and
 * lose power, more often than their work kills them. Each death after that uses up an attempt.
 */
export const FREE_DEATHS = 20;

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
  /** The jobs of a queue run one at a time, across all hosts. A caller can also name a queue when it enqueues. Few names at a time: each look for a job reads them. */
  queue?: (payload: P) => string;
  /** The payload contains personal data and is never logged. */
  isPrivate?: boolean;
};

/** A page that a job works on. */
export type PageOfJob = { runId: string; path: string };

/** What a job works on, as the log may tell it: its kind and the ids in its payload, and the page at this moment. */
export type Work = { jobId: string; job: string; payload: Record<string, unknown>; page: PageOfJob | null };

/** `attempt` counts from 1. `signal` aborts when the handler must stop. The job will run again, here or elsewhere. */
export type JobRun = {
  /** In the queue. */
  id: string;
  attempt: number;
  maxAttempts: number;
  signal: AbortSignal;
  /**
   * Does a part of the job that may fail alone: with its own time limit, and known by its page when it blocks the thread.
   * While something is away that it needs, it waits and begins again.
   */
  part(of: { page: PageOfJob; maxMinutes: number }, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Has the job of one user take one place more of its lane. @returns what gives it back; null when none may be had. */
  takePlace(): (() => void) | null;
  /** The thread ends soon: nothing more is to be begun. */
  isClosing(): boolean;
};
