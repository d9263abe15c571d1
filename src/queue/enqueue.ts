import type { Db } from '../db/database.ts';
import { sha256Of } from '../text/sha256.ts';
import { JOB_KINDS, type JobName, type JobPayloads } from './job-kinds.ts';

export type EnqueueOptions = {
  /** The earliest time at which the job runs. */
  runAt?: Date;
  /**
   * What happens to a job that has the key already. `replace` (the default) and `preserve_run_at` update a waiting
   * job. If the job is running, they add another one, and the running one gets no further attempt. `unsafe_dedupe`
   * leaves any job with the key as it is, even a running or dead one.
   */
  keyMode?: 'replace' | 'preserve_run_at' | 'unsafe_dedupe';
  /** These override the settings of the job's kind (`job.ts`). */
  key?: string;
  queue?: string;
  priority?: number;
  maxAttempts?: number;
  /** The user that the job belongs to: users share the places of a lane (`places.ts`). Null: none. */
  userId?: string | null;
};

/** Every job has this flag, so that a lane can pass over all of them. */
export const ANY_JOB = 'job';

/** Marks a job that had a key when it was added. The job loses its key when a newer job takes it over. */
const KEYED = 'keyed';

const USER_FLAG = 'user/';

export const userFlag = (userId: string) => USER_FLAG + userId;

/** The user that a job belongs to, by its flags. */
export function userOfJob(flags: Record<string, true> | null): string | null {
  const flag = Object.keys(flags ?? {}).find((name) => name.startsWith(USER_FLAG));
  return flag?.slice(USER_FLAG.length) ?? null;
}

/** The maximum length in the queue's table. */
const LONGEST_KEY = 512;

/**
 * A key may contain a path or an e-mail address of any length. A key that is too long is replaced by one with its
 * hash.
 */
function shorten(key: string): string {
  if (key.length <= LONGEST_KEY) return key;
  const hash = sha256Of(key);
  return `${key.slice(0, LONGEST_KEY - hash.length - 1)}#${hash}`;
}

/** A job as a `job_spec` of graphile-worker. */
type JobSpec = {
  identifier: JobName;
  payload: unknown;
  queue_name: string | null;
  run_at: string | null;
  max_attempts: number;
  job_key: string | null;
  priority: number;
  flags: string[];
};

/** The key that the job has unless `EnqueueOptions` give it another. Null: jobs of this kind have none. */
export function jobKey<N extends JobName>(name: N, payload: JobPayloads[N]): string | null {
  const kind = JOB_KINDS[name];
  const key = kind.key?.(kind.payload.parse(payload)) ?? null;
  return key === null ? null : shorten(key);
}

function specify<N extends JobName>(identifier: N, given: JobPayloads[N], options: EnqueueOptions): JobSpec {
  const kind = JOB_KINDS[identifier];
  // Parsing drops the fields that the job does not need.
  const payload = kind.payload.parse(given);
  const key = options.key ?? kind.key?.(payload) ?? null;
  const { userId = null } = options;
  return {
    identifier,
    payload,
    queue_name: options.queue ?? kind.queue?.(payload) ?? null,
    run_at: options.runAt?.toISOString() ?? null,
    max_attempts: options.maxAttempts ?? kind.maxAttempts,
    job_key: key === null ? null : shorten(key),
    priority: options.priority ?? kind.priority ?? 0,
    flags: [ANY_JOB, ...(key === null ? [] : [KEYED]), ...(userId === null ? [] : [userFlag(userId)])],
  };
}

export type Enqueued<N extends JobName> = {
  payload: JobPayloads[N];
  options?: Omit<EnqueueOptions, 'keyMode'>;
};

/**
 * Adds jobs in one statement, in the caller's transaction. They exist only once the transaction commits. Of jobs with
 * the same key, the last one counts.
 */
export async function enqueueAll<N extends JobName>(
  db: Db,
  name: N,
  jobs: readonly Enqueued<N>[],
  keyMode: EnqueueOptions['keyMode'] = 'replace',
): Promise<void> {
  if (jobs.length === 0) return;
  const specs = jobs.map(({ payload, options = {} }) => specify(name, payload, options));
  await db.raw(
    `select count(job) from json_to_recordset(?::json) as spec(identifier text, payload json, queue_name text,
        run_at timestamptz, max_attempts integer, job_key text, priority integer, flags text[])
      cross join lateral graphile_worker.add_job(
        identifier => spec.identifier, payload => spec.payload, queue_name => spec.queue_name, run_at => spec.run_at,
        max_attempts => spec.max_attempts, job_key => spec.job_key, priority => spec.priority, flags => spec.flags,
        job_key_mode => ?) as job`,
    [JSON.stringify(specs), keyMode],
  );
}

/** Adds one job. */
export async function enqueue<N extends JobName>(
  db: Db,
  name: N,
  payload: JobPayloads[N],
  { keyMode, ...options }: EnqueueOptions = {},
): Promise<void> {
  await enqueueAll(db, name, [{ payload, options }], keyMode);
}

/** Adds the jobs whose key no other job has, not even a running one. */
export async function enqueueMissing<N extends JobName>(db: Db, name: N, jobs: readonly Enqueued<N>[]): Promise<void> {
  await enqueueAll(db, name, jobs, 'unsafe_dedupe');
}

/**
 * For work at a later time. It does not delay a waiting job that is due sooner, and does not keep an event from
 * running the job now.
 */
export const postponedTo = (runAt: Date) => ({ keyMode: 'preserve_run_at', runAt }) as const satisfies EnqueueOptions;

/**
 * A job that a person is waiting for. It counts as another user's, so it does not wait for places that the person's
 * other jobs have.
 */
export const forSomebodyWaiting = (userId: string) => ({ userId: `${userId}/waits` }) as const satisfies EnqueueOptions;

/**
 * Takes the key from a job that ends now, in the caller's transaction. From then on, adding a job with this key adds
 * another one. The rest of the transaction sees everything that was done before that.
 */
export async function giveUpKey<N extends JobName>(db: Db, name: N, payload: JobPayloads[N]): Promise<void> {
  await db.raw('select 1 from graphile_worker.remove_job(?)', [jobKey(name, payload)]);
}
