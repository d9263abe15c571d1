import { z } from 'zod';
import { readRows, readValue, readValues, type Db } from '../db/database.ts';
import { FREE_DEATHS } from './job.ts';
import { LOCK_NAMESPACE } from './worker-lock.ts';

/**
 * Whether any job has one of the keys.
 * @param keys see `jobKey`; no job has null
 * @param which `live`: a job that waits or runs. `all`: also one that is about to be given up
 */
export async function hasJobs(
  db: Db,
  keys: readonly (string | null)[],
  which: 'live' | 'all' = 'live',
): Promise<boolean> {
  return readValue(
    db,
    z.boolean(),
    `select exists (
       select from graphile_worker.jobs
       where key = any(:keys::text[]) and (:which = 'all' or locked_at is not null or attempts < max_attempts)
     )`,
    { keys: keys.filter((key) => key !== null), which },
  );
}

/** The jobs that no worker is working on. */
export async function findIdleJobs(db: Db, ids: readonly string[]): Promise<string[]> {
  return readValues(
    db,
    z.string(),
    `select id::text from unnest(cast(? as bigint[])) as wanted(id)
    where not exists (
      select from graphile_worker.jobs as job where job.id = wanted.id and job.locked_at is not null
    )`,
    [[...ids]],
  );
}

/*
 * graphile-worker calls these tables private: their shape holds for the exact version that package.json names. A new
 * version is taken only with the tests of this folder green.
 */

/** A job whose key was taken over by a newer job. `enqueue` marks the jobs that had a key. */
const SUPERSEDED = `(key is null and flags @> '{"keyed": true}')`;

/** Workers that hold jobs or queues but are dead, because nobody holds their advisory lock. */
export async function findDeadWorkers(db: Db): Promise<string[]> {
  return readValues(
    db,
    z.string(),
    `select holder.id
    from (
      select locked_by as id from graphile_worker.jobs where locked_by is not null
      union
      select locked_by from graphile_worker._private_job_queues where locked_by is not null
    ) as holder
    where not exists (
      select 1 from pg_locks
      where locktype = 'advisory' and granted and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
        and classid::bigint = ? and objid::bigint = hashtext(holder.id)::bigint & 4294967295
    )`,
    [LOCK_NAMESPACE],
  );
}

const DEATHS = `(select count(*) from jsonb_object_keys(flags) as flag(name) where flag.name like 'died/%')`;

/** Frees what dead workers held. The attempts that they began don't count, up to `FREE_DEATHS` for each job. */
export async function unlockWorkers(db: Db, workerIds: string[]): Promise<void> {
  await db.raw(
    `with told as (
      update graphile_worker._private_jobs
      set last_error = 'The worker died while it ran this job',
        attempts = case when ${SUPERSEDED} is true or ${DEATHS} >= :freeDeaths then attempts else attempts - 1 end,
        flags = coalesce(flags, '{}') || jsonb_build_object('died/' || ${DEATHS}, true)
      where locked_by = any(:workerIds)
    )
    select pg_notify('jobs:insert', '{"count":16}')`,
    { workerIds, freeDeaths: FREE_DEATHS },
  );
  await db.raw('select graphile_worker.force_unlock_workers(:workerIds)', { workerIds });
}

/** Returns the jobs of workers to the queue, for clients that write bindings in their own ways. */
export const returnSql = (workerIds: string, failed: string, error: string) => `
  with returned as (
    update graphile_worker._private_jobs as job
    set locked_at = null, locked_by = null,
      attempts = case when job.id = failed.id or ${SUPERSEDED} then attempts else greatest(attempts - 1, 0) end,
      last_error = case when job.id = failed.id then ${error} else last_error end,
      run_at = case when job.id = failed.id then greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second' else run_at end
    from (select cast(${failed} as bigint) as id) as failed
    where locked_by = any(${workerIds})
    returning job.id::text
  ), queue as (
    update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_by = any(${workerIds})
  ), notified as (
    select pg_notify('jobs:insert', '{"count":16}')
  )
  select returned.id from returned, notified`;

/**
 * Returns the jobs of workers to the queue as if they had never been taken, except `failed`, which waits as after any
 * failure. @returns their ids.
 */
export async function returnJobs(
  db: Db,
  workerIds: readonly string[],
  failed: { jobId: string; error: string } | null,
): Promise<string[]> {
  return readValues(db, z.string(), returnSql(':workerIds', ':failed', ':error'), {
    workerIds: [...workerIds],
    failed: failed?.jobId ?? null,
    error: failed?.error ?? null,
  });
}

const DeadRow = z.object({
  id: z.string(),
  name: z.string(),
  payload: z.unknown(),
  error: z.string().nullable(),
  superseded: z.boolean(),
});
export type DeadRow = z.infer<typeof DeadRow>;

/** Deletes the oldest job without attempts left, other than `except`, from the queue. */
export async function takeDeadJob(db: Db, except: string[]): Promise<DeadRow | null> {
  const [row] = await readRows(
    db,
    DeadRow,
    `delete from graphile_worker._private_jobs as job
    using graphile_worker._private_tasks as task
    where task.id = job.task_id and job.id = (
      select id from graphile_worker._private_jobs
      where attempts >= max_attempts and locked_at is null and id <> all(?::bigint[])
      order by id limit 1
      for update skip locked
    )
    returning job.id::text as id, task.identifier as name, job.payload, job.last_error as error,
      ${SUPERSEDED} is true as superseded`,
    [except],
  );
  return row ?? null;
}

const IDLE_QUEUES = `graphile_worker._private_job_queues as queue
  where locked_at is null
    and not exists (select 1 from graphile_worker._private_jobs as job where job.job_queue_id = queue.id)`;

/** Empty queues. graphile-worker does not delete them. */
export async function countIdleQueues(db: Db): Promise<number> {
  return readValue(db, z.number(), `select count(*)::integer from ${IDLE_QUEUES}`);
}

/**
 * A job that is added to a queue while the queue is deleted would never run. So this takes a lock that excludes
 * adding jobs. It does not wait for the lock, because all workers would then wait behind us. `db` is a transaction.
 * Throws 55P03 (lock not available) when somebody is adding jobs.
 */
export async function removeIdleQueues(db: Db): Promise<void> {
  await db.raw(
    'lock table graphile_worker._private_job_queues, graphile_worker._private_jobs in share row exclusive mode nowait',
  );
  await db.raw(`delete from ${IDLE_QUEUES}`);
}
