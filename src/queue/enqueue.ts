import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { JOB_KINDS } from './job-kinds.ts';
import type { JobName, JobPayloads } from './job-kinds.ts';

export type EnqueueOptions = {
  /** Not before then. */
  runAt?: Date;
  /**
   * What happens to a job that has the key already. `replace` (the default) and `preserve_run_at` renew a waiting job,
   * and add one beside a running job, which then has no further attempt. `unsafe_dedupe` leaves any job with the key as
   * it is, running or dead.
   */
  keyMode?: 'replace' | 'preserve_run_at' | 'unsafe_dedupe';
  /** These instead of what the job's kind says (`job.ts`). */
  key?: string;
  queue?: string;
  priority?: number;
  maxAttempts?: number;
};

/** `keyed` marks a job that was given a key, as a job whose key was taken over by a newer one loses it. */
const KEYED = ['keyed'];

/** Characters that the queue's table takes. */
const LONGEST_KEY = 512;

/** A key may carry a path or an e-mail address of any length: what is too long is told apart by its hash. */
function shorten(key: string): string {
  if (key.length <= LONGEST_KEY) return key;
  const hash = createHash('sha256').update(key).digest('hex');
  return `${key.slice(0, LONGEST_KEY - hash.length - 1)}#${hash}`;
}

/** A job in the words of graphile-worker's `job_spec`. */
type JobSpec = {
  identifier: JobName;
  payload: unknown;
  queue_name: string | null;
  run_at: string | null;
  max_attempts: number;
  job_key: string | null;
  priority: number;
  flags: string[] | null;
};

function specify<N extends JobName>(identifier: N, given: JobPayloads[N], options: EnqueueOptions): JobSpec {
  const kind = JOB_KINDS[identifier];
  // Parsed, so that a caller may give more than the job is told.
  const payload = kind.payload.parse(given);
  const key = options.key ?? kind.key?.(payload) ?? null;
  return {
    identifier,
    payload,
    queue_name: options.queue ?? kind.queue?.(payload) ?? null,
    run_at: options.runAt?.toISOString() ?? null,
    max_attempts: options.maxAttempts ?? kind.maxAttempts,
    job_key: key === null ? null : shorten(key),
    priority: options.priority ?? kind.priority ?? 0,
    flags: key === null ? null : KEYED,
  };
}

/** Adds a job in the caller's transaction: it exists when the transaction commits, and not before. */
export async function enqueue<N extends JobName>(
  db: Db,
  name: N,
  payload: JobPayloads[N],
  options: EnqueueOptions = {},
): Promise<void> {
  const spec = specify(name, payload, options);
  await db.raw(
    `select 1 from graphile_worker.add_job(
      identifier => :identifier, payload => cast(:payload as json), queue_name => :queue_name,
      run_at => cast(:run_at as timestamptz), max_attempts => cast(:max_attempts as integer), job_key => :job_key,
      priority => cast(:priority as integer), flags => cast(:flags as text[]), job_key_mode => :job_key_mode)`,
    { ...spec, payload: JSON.stringify(spec.payload), job_key_mode: options.keyMode ?? 'replace' },
  );
}

export type Enqueued<N extends JobName> = {
  payload: JobPayloads[N];
  options?: Omit<EnqueueOptions, 'keyMode'>;
};

/**
 * Adds thousands of jobs in one statement, in the caller's transaction. A waiting job with the same key is renewed; of
 * two in the list with one key the later counts.
 */
export async function enqueueAll<N extends JobName>(db: Db, name: N, jobs: readonly Enqueued<N>[]): Promise<void> {
  if (jobs.length === 0) return;
  const specs = jobs.map(({ payload, options = {} }) => specify(name, payload, options));
  await db.raw(
    `select count(*) from graphile_worker.add_jobs(array(
      select row(identifier, payload, queue_name, run_at, max_attempts, job_key, priority, flags)::graphile_worker.job_spec
      from json_to_recordset(?::json) as spec(identifier text, payload json, queue_name text, run_at timestamptz,
        max_attempts smallint, job_key text, priority smallint, flags text[])))`,
    [JSON.stringify(lastOfEachKey(specs))],
  );
}

/** PostgreSQL refuses a statement that would upsert one row twice. */
function lastOfEachKey(specs: JobSpec[]): JobSpec[] {
  const kept = new Map<string | number, JobSpec>();
  specs.forEach((spec, index) => kept.set(spec.job_key ?? index, spec));
  return [...kept.values()];
}

/**
 * For work that is put off: it does not put off a waiting job that comes sooner, and an event that asks for the work
 * now is not put off by it.
 */
export const postponedTo = (runAt: Date) => ({ keyMode: 'preserve_run_at', runAt }) as const satisfies EnqueueOptions;

/**
 * The queue of one of a suite's K slots. A queue runs one job at a time over all hosts, so jobs spread over slots 0 to
 * K-1 are never more than K at once.
 */
export function slotQueue(kind: string, suiteId: string, slot: number): string {
  return `${kind}/${suiteId}/${slot}`;
}
