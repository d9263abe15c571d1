/** What each job is told: ids only, so that a job always works on the rows as they are when it runs. */
export type JobPayloads = {
  'capture-page': { runId: string; path: string };
  'compare-page': { runId: string; path: string };
  'finish-run': { runId: string };
  'crawl-suite': { suiteId: string };
  'remove-suite-objects': { suiteId: string };
  'send-reset-link': { email: string };
  'find-preview': { runId: string };
  'expire-preview': { runId: string };
  'show-check': { runId: string };
  /** A check whose run is deleted. `checkRunId` is empty where it is not known: it is looked for by `runId`. */
  'end-check': {
    owner: string;
    repo: string;
    installationId: string;
    runId: string;
    checkRunId: string;
    name: string;
    headSha: string;
  };
  'end-unlinked-runs': { suiteId: string };
  'judge-merge-group': { owner: string; repo: string; headSha: string; headRef: string; installationId: string };
  'promote-pull-request': { owner: string; repo: string; number: string };
  'refresh-installation': { installationId: string };
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

export const LANES: readonly Lane[] = ['page', 'long', 'short'];

export type JobKind<N extends JobName> = {
  lane: Lane;
  /** The lower goes first; a comparison goes before further captures, so that results appear as a run goes on. */
  priority: number;
  /**
   * An attempt is also spent when the worker dies in the middle, which is what bounds a page that kills its worker.
   * The wait after failed attempt n is e^n seconds (2.7, 7.4, 20, 55, …).
   */
  maxAttempts: number;
  /** Below the 4 hours after which graphile-worker takes any lock for stale. */
  maxMinutes: number;
  /** The fields of the payload, all of them text. */
  fields: readonly (keyof JobPayloads[N])[];
};

const runAndPath = ['runId', 'path'] as const;

export const JOBS: { readonly [N in JobName]: JobKind<N> } = {
  'capture-page': { lane: 'page', priority: 0, maxAttempts: 5, maxMinutes: 60, fields: runAndPath },
  'compare-page': { lane: 'page', priority: -1, maxAttempts: 5, maxMinutes: 30, fields: runAndPath },
  'finish-run': { lane: 'short', priority: -1, maxAttempts: 10, maxMinutes: 10, fields: ['runId'] },
  'crawl-suite': { lane: 'long', priority: 0, maxAttempts: 3, maxMinutes: 210, fields: ['suiteId'] },
  'remove-suite-objects': { lane: 'long', priority: 1, maxAttempts: 15, maxMinutes: 120, fields: ['suiteId'] },
  'send-reset-link': { lane: 'short', priority: 0, maxAttempts: 8, maxMinutes: 5, fields: ['email'] },
  'find-preview': { lane: 'short', priority: 0, maxAttempts: 10, maxMinutes: 10, fields: ['runId'] },
  'expire-preview': { lane: 'short', priority: 0, maxAttempts: 10, maxMinutes: 5, fields: ['runId'] },
  'show-check': { lane: 'short', priority: 0, maxAttempts: 12, maxMinutes: 10, fields: ['runId'] },
  'end-check': {
    lane: 'short',
    priority: 0,
    maxAttempts: 12,
    maxMinutes: 10,
    fields: ['owner', 'repo', 'installationId', 'runId', 'checkRunId', 'name', 'headSha'],
  },
  'end-unlinked-runs': { lane: 'short', priority: 0, maxAttempts: 12, maxMinutes: 10, fields: ['suiteId'] },
  'judge-merge-group': {
    lane: 'short',
    priority: 0,
    maxAttempts: 12,
    maxMinutes: 10,
    fields: ['owner', 'repo', 'headSha', 'headRef', 'installationId'],
  },
  'promote-pull-request': {
    lane: 'short',
    priority: 0,
    maxAttempts: 12,
    maxMinutes: 10,
    fields: ['owner', 'repo', 'number'],
  },
  'refresh-installation': { lane: 'short', priority: 0, maxAttempts: 10, maxMinutes: 5, fields: ['installationId'] },
};

export const JOB_NAMES: readonly JobName[] = [
  'capture-page',
  'compare-page',
  'finish-run',
  'crawl-suite',
  'remove-suite-objects',
  'send-reset-link',
  'find-preview',
  'expire-preview',
  'show-check',
  'end-check',
  'end-unlinked-runs',
  'judge-merge-group',
  'promote-pull-request',
  'refresh-installation',
];

/** A payload may have been written by another version of this program. */
export function isPayload<N extends JobName>(name: N, value: unknown): value is JobPayloads[N] {
  if (typeof value !== 'object' || value === null) return false;
  return JOBS[name].fields.every((field) => typeof Reflect.get(value, field) === 'string');
}

export function isDeadJob(job: { name: string; payload: unknown; error: string }): job is DeadJob {
  const name = JOB_NAMES.find((known) => known === job.name);
  return name !== undefined && isPayload(name, job.payload);
}
