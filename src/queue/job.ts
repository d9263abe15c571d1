import { availableParallelism } from 'node:os';
import type { z } from 'zod';

/**
 * Each worker thread runs the lanes in parallel. So a crawl of ten minutes delays no capture, and neither of them delays a
 * result, a judgement or a mail.
 */
export type Lane = 'page' | 'result' | 'crawl' | 'long' | 'short';

export const LANES: readonly Lane[] = ['page', 'result', 'crawl', 'long', 'short'];

/** How many places a lane has in one thread. Users share them (`places.ts`). */
export const LANE_PLACES: Readonly<Record<Lane, number>> = {
  // Pages that are open in the browser. They mostly wait for their server and for rest.
  page: 6,
  // Large screenshots are compared one after the other (`compare-apart.ts`), and small ones don't wait for them.
  result: 6,
  // A crawl mostly waits for the site.
  crawl: 6,
  long: 1,
  // These wait for GitHub, a preview or a mail server.
  short: 3,
};

/** Measured: pages wait for their server and for rest, mostly. The threads of a process share its processors. */
const PAGES_PER_PROCESSOR = 6;

/** How many pages each thread has open at once, in a process with this many. */
export function countOpenPages(threads: number): number {
  return Math.max(4, Math.ceil((PAGES_PER_PROCESSOR * availableParallelism()) / threads));
}

/**
 * How often a worker may die during a job, or while a job works on a page, without using up an attempt. Restarts and
 * power failures are more common than work that kills its worker. Each further death uses up an attempt.
 */
export const FREE_DEATHS = 20;

/** One kind of job, as listed in `job-kinds.ts`. */
export type JobKind<P> = {
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
  /**
   * The jobs of a queue run one at a time, across all hosts. A caller can also name a queue when it enqueues. There
   * should be few names at a time, because each search for a job reads them.
   */
  queue?: (payload: P) => string;
  /** The payload contains personal data and is never logged. */
  isPrivate?: boolean;
};

/** A page that a job works on. */
export type PageOfJob = { runId: string; path: string };

/** What a job works on, in a form that may be logged: its kind, the ids in its payload, and the current page. */
export type Work = { jobId: string; job: string; payload: Record<string, unknown>; page: PageOfJob | null };

/** `attempt` counts from 1. `signal` aborts when the handler must stop. The job will run again, here or elsewhere. */
export type JobRun = {
  /** In the queue. */
  id: string;
  attempt: number;
  signal: AbortSignal;
  /**
   * Does a part of the job that may fail by itself. It has its own time limit, and its page is known if it blocks the
   * thread. While something that it needs is away, it waits and starts again.
   */
  part(of: { page: PageOfJob; maxMinutes: number }, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /**
   * Takes another place of the lane for the job. @returns a function that gives it back; null if there is none to take.
   */
  takePlace(): (() => void) | null;
  /** The thread is about to end, so nothing new should be started. */
  isClosing(): boolean;
};
