import { settlesWithin } from '../async/time-limit.ts';
import type { AwaitPart } from './await-part.ts';
import { JOB_KINDS, parsePayload, type JobName, type JobPayloads } from './job-kinds.ts';
import type { JobRun, Work } from './job.ts';
import type { Track } from './pulse.ts';

/** A job has ended. `returned`: it was aborted because the worker stops, and will run again. */
export type JobMetric = { job: JobName; outcome: 'done' | 'failed' | 'returned'; seconds: number };

/**
 * Does the work of a job. It may run twice for one job, because a worker can die after the work and before it is
 * recorded. So it writes with conditional updates. Throwing means: try again later.
 */
export type RunJob = <N extends JobName>(name: N, payload: JobPayloads[N], run: JobRun) => Promise<void>;

/** What the queue knows about a job. */
type TakenJob = Pick<JobRun, 'id' | 'attempt' | 'takePlace' | 'isClosing'>;

export type JobRunnerOptions = {
  runJob: RunJob;
  onMetric?: ((metric: JobMetric) => void) | undefined;
  /** A job ran past its time limit, got its signal, and did not end. It has failed. */
  onStuck: () => void;
  /** Default: a job that fails because a part is missing fails like any other. */
  awaitPart?: AwaitPart | undefined;
  /** Default: nobody is told what runs. */
  track?: Track | undefined;
};

export type JobRunner = {
  run(name: JobName, payload: unknown, job: TakenJob): Promise<void>;
  /** Aborts the running jobs and waits for them, at most `graceMs`. Their outcome is held back until `release`. */
  abort(graceMs: number): Promise<void>;
  /** Call this after aborted jobs were returned to the queue, so that none of them counts as a failed attempt. */
  release(): void;
};

const STUCK_MS = 30_000;

/**
 * How often a job may fail for a part that then says that it can be used: for a quarter of an hour (`await-part.ts`). After
 * that it fails like any other, or a run would wait forever for one object that can't be read.
 */
const MOST_RETURNS = 60;

/**
 * Errors of jobs that did not heed their signal. The worker stops because of such a job, which has failed all the same, or
 * it would stop every worker that takes it.
 */
const deaf = new WeakSet<Error>();

type Limited = { maxMinutes: number; what: string };
type Begin = (signal: AbortSignal) => Promise<void>;
/** What runs, and what aborts it. */
type Active = Map<AbortController, Promise<void>>;

/** Runs each job with a signal and a time limit. While a part that it needs is away, it waits and keeps its place. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { runJob, onMetric, onStuck, awaitPart = () => null, track = async (_work, run) => run() } = options;
  const active: Active = new Map();
  let stopping = false;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });

  async function runWhenUsable(limited: Limited, begin: Begin): Promise<void> {
    if (stopping) throw new Error('The worker is stopping');
    for (let returns = 0; ; returns += 1) {
      try {
        return await runWithin(limited, begin, active, onStuck);
      } catch (error) {
        const controller = new AbortController();
        const back = stopping || returns === MOST_RETURNS ? null : awaitPart(error, controller.signal);
        if (back === null) throw error;
        active.set(controller, back);
        await back.finally(() => active.delete(controller));
      }
    }
  }

  async function runTracked(name: JobName, given: unknown, taken: TakenJob): Promise<void> {
    const payload = parsePayload(name, given);
    if (payload === null) throw new Error(`The payload of the job ${name} is not valid`);
    const { maxMinutes, isPrivate } = JOB_KINDS[name];
    const work: Work = { jobId: taken.id, job: name, payload: isPrivate === true ? {} : payload, page: null };
    const part: JobRun['part'] = async ({ page, maxMinutes: minutes }, begin) => {
      await track({ ...work, page }, async () => runWhenUsable({ maxMinutes: minutes, what: 'page' }, begin));
    };
    const begin: Begin = async (signal) => runJob(name, payload, { ...taken, signal, part });
    await track(work, async () => runWhenUsable({ maxMinutes, what: 'job' }, begin));
  }

  return {
    release: () => release(),
    async run(name, payload, taken) {
      const started = performance.now();
      const report = (outcome: JobMetric['outcome']) =>
        onMetric?.({ job: name, outcome, seconds: (performance.now() - started) / 1000 });
      try {
        await runTracked(name, payload, taken);
        report('done');
      } catch (error) {
        const isReturned = stopping && !(error instanceof Error && deaf.has(error));
        report(isReturned ? 'returned' : 'failed');
        if (isReturned) await released;
        throw error;
      }
    },
    async abort(graceMs) {
      stopping = true;
      const works = [...active.values()];
      for (const controller of active.keys()) controller.abort(new Error('The worker is stopping'));
      await settlesWithin(graceMs, Promise.allSettled(works));
    },
  };
}

async function runWithin(limited: Limited, begin: Begin, active: Active, onStuck: () => void): Promise<void> {
  const controller = new AbortController();
  const limit = limitTime(controller, limited);
  const work = begin(controller.signal);
  active.set(controller, work);
  void limit.stuck.catch(onStuck);
  try {
    await Promise.race([work, limit.stuck]);
  } finally {
    active.delete(controller);
    limit.lift();
  }
}

/** Aborts at the time limit. `stuck` rejects when the work still does not end. */
function limitTime(
  controller: AbortController,
  { maxMinutes, what }: Limited,
): { stuck: Promise<never>; lift: () => void } {
  let timer: NodeJS.Timeout;
  const stuck = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`The ${what} took longer than ${maxMinutes} minutes`);
      controller.abort(error);
      timer = setTimeout(() => {
        deaf.add(error);
        reject(error);
      }, STUCK_MS).unref();
    }, maxMinutes * 60_000).unref();
  });
  return { stuck, lift: () => clearTimeout(timer) };
}
