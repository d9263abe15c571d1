import type { z } from 'zod';

/**
 * The jobs of a lane run one at a time in each worker thread, and lanes run beside each other: a crawl of ten minutes
 * holds up no capture, and neither holds up the end of a run or a mail.
 */
export type Lane = 'page' | 'long' | 'short';

export const LANES: readonly Lane[] = ['page', 'long', 'short'];

/** One kind of job: its row in `job-kinds.ts`. */
export type JobKind<P> = {
  /** What a job is told. It also takes the form in which an earlier version wrote it: such a job may still wait. */
  payload: z.ZodType<P>;
  lane: Lane;
  /** The lower goes first; 0 if not said. */
  priority?: number;
  /**
   * An attempt is also spent when the worker dies in the middle, which is what bounds a page that kills its worker.
   * The wait after failed attempt n is e^n seconds (2.7, 7.4, 20, 55, …).
   */
  maxAttempts: number;
  /** Below the 4 hours after which graphile-worker takes any lock for stale. */
  maxMinutes: number;
  /** One job with that key waits at a time: see `keyMode` in `enqueue.ts`. Without a key each job stands for itself. */
  key?: (payload: P) => string;
  /** The jobs of a queue run one at a time, over all hosts. A caller may also name one when it enqueues. */
  queue?: (payload: P) => string;
  /** The payload is about a person and is never logged. */
  isPrivate?: boolean;
};

/** `attempt` counts from 1. `signal` aborts when the job must be given up: it will be run again, here or elsewhere. */
export type JobRun = { attempt: number; maxAttempts: number; signal: AbortSignal };
