import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { JOBS } from './job.ts';
import type { JobName, JobPayloads } from './job.ts';

export type EnqueueOptions = {
  /** One waiting job a key. What happens to a job that has the key already is `keyMode`'s matter. */
  key?: string;
  /**
   * `replace` (the default) and `preserve_run_at` renew a waiting job, and add one beside a running job, which then has
   * no further attempt. `unsafe_dedupe` leaves any job with the key as it is, running or dead.
   */
  keyMode?: 'replace' | 'preserve_run_at' | 'unsafe_dedupe';
  /** The jobs of a queue run one at a time, over all hosts. */
  queue?: string;
  /** Not before then. */
  runAt?: Date;
  /** Instead of those in `JOBS`. */
  priority?: number;
  maxAttempts?: number;
};

/** `keyed` marks a job that was given a key, as a job whose key was taken over by a newer one loses it. */
const KEYED = ['keyed'];

/** Characters that the queue's table takes. */
const LONGEST_KEY = 512;

/** A key may carry a path or an e-mail address of any length: what is too long is told apart by its hash. */
function keyOf({ key }: EnqueueOptions): string | null {
  if (key === undefined) return null;
  if (key.length <= LONGEST_KEY) return key;
  const hash = createHash('sha256').update(key).digest('hex');
  return `${key.slice(0, LONGEST_KEY - hash.length - 1)}#${hash}`;
}

/** Adds a job in the caller's transaction: it exists when the transaction commits, and not before. */
export async function enqueue<N extends JobName>(
  db: Db,
  name: N,
  payload: JobPayloads[N],
  options: EnqueueOptions = {},
): Promise<void> {
  const defaults = JOBS[name];
  await db.raw(
    `select 1 from graphile_worker.add_job(
      identifier => ?, payload => ?::json, queue_name => ?, run_at => ?::timestamptz, max_attempts => ?::integer,
      job_key => ?, priority => ?::integer, flags => ?::text[], job_key_mode => ?)`,
    [
      name,
      JSON.stringify(payload),
      options.queue ?? null,
      options.runAt?.toISOString() ?? null,
      options.maxAttempts ?? defaults.maxAttempts,
      keyOf(options),
      options.priority ?? defaults.priority,
      options.key === undefined ? null : KEYED,
      options.keyMode ?? 'replace',
    ],
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
  const defaults = JOBS[name];
  const specs = lastOfEachKey(jobs).map(({ payload, options = {} }) => ({
    identifier: name,
    payload,
    queue_name: options.queue ?? null,
    run_at: options.runAt?.toISOString() ?? null,
    max_attempts: options.maxAttempts ?? defaults.maxAttempts,
    job_key: keyOf(options),
    priority: options.priority ?? defaults.priority,
    flags: options.key === undefined ? null : KEYED,
  }));
  await db.raw(
    `select count(*) from graphile_worker.add_jobs(array(
      select row(identifier, payload, queue_name, run_at, max_attempts, job_key, priority, flags)::graphile_worker.job_spec
      from json_to_recordset(?::json) as spec(identifier text, payload json, queue_name text, run_at timestamptz,
        max_attempts smallint, job_key text, priority smallint, flags text[])))`,
    [JSON.stringify(specs)],
  );
}

/** PostgreSQL refuses a statement that would upsert one row twice. */
function lastOfEachKey<N extends JobName>(jobs: readonly Enqueued<N>[]): Enqueued<N>[] {
  const kept = new Map<string | number, Enqueued<N>>();
  jobs.forEach((job, index) => kept.set(job.options?.key ?? index, job));
  return [...kept.values()];
}

/**
 * The queue of one of a suite's K slots. A queue runs one job at a time over all hosts, so jobs spread over slots 0 to
 * K-1 are never more than K at once.
 */
export function slotQueue(kind: string, suiteId: string, slot: number): string {
  return `${kind}/${suiteId}/${slot}`;
}
