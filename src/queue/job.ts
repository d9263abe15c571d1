/** What each job is told: ids only, so that a job always works on the rows as they are when it runs. */
export type JobPayloads = {
  'capture-page': { runId: string; path: string };
  'compare-page': { runId: string; path: string };
  'finish-run': { runId: string };
  'crawl-suite': { suiteId: string };
  'remove-suite-objects': { suiteId: string };
  'send-mail': { to: string; subject: string; text: string };
};

export type JobName = keyof JobPayloads;

/** `attempt` counts from 1. `signal` aborts when the job must be given up: it will be run again, here or elsewhere. */
export type JobRun = { attempt: number; maxAttempts: number; signal: AbortSignal };

/**
 * What runs a job. It may be delivered twice (a worker dies after the work and before the note of it), so it saves by
 * conditional updates. Throwing means: try again later.
 */
export type JobHandlers<C> = {
  [N in JobName]: (ctx: C, payload: JobPayloads[N], job: JobRun) => Promise<void>;
};

/** A job that will not be tried again, with the error of its last attempt. */
export type DeadJob = { [N in JobName]: { name: N; payload: JobPayloads[N]; error: string } }[JobName];

/**
 * The jobs of a lane run one at a time in each worker thread, and lanes run beside each other: a crawl of ten minutes
 * holds up no capture, and neither holds up the end of a run or a mail.
 */
export type Lane = 'page' | 'long' | 'short';

/**
 * `priority`: the lower goes first; a comparison goes before further captures, so that results appear as a run goes on.
 * `maxAttempts`: an attempt is also spent when the worker dies in the middle, which is what bounds a page that kills
 * its worker. The wait after attempt n is e^n seconds (2.7, 7.4, 20, 55, …).
 */
export const JOBS: { readonly [N in JobName]: { lane: Lane; priority: number; maxAttempts: number } } = {
  'capture-page': { lane: 'page', priority: 0, maxAttempts: 5 },
  'compare-page': { lane: 'page', priority: -1, maxAttempts: 5 },
  'finish-run': { lane: 'short', priority: -1, maxAttempts: 10 },
  'crawl-suite': { lane: 'long', priority: 0, maxAttempts: 3 },
  'remove-suite-objects': { lane: 'long', priority: 1, maxAttempts: 15 },
  'send-mail': { lane: 'short', priority: 0, maxAttempts: 8 },
};
