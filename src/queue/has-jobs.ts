import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readValue, readValues } from '../db/read-rows.ts';
import type { JobName, JobPayloads } from './job-kinds.ts';

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

/** The payloads that no job of these kinds has: none that waits, runs, or is about to be given up. */
export async function findPayloadsWithoutJob<N extends JobName>(
  db: Db,
  names: readonly N[],
  payloads: readonly JobPayloads[N][],
): Promise<JobPayloads[N][]> {
  const places = await readValues(
    db,
    z.number(),
    `select wanted.place::integer
     from jsonb_array_elements(?::jsonb) with ordinality as wanted(payload, place)
     where not exists (
       select from graphile_worker._private_jobs as job
       join graphile_worker._private_tasks as task on task.id = job.task_id
       where task.identifier = any(?::text[]) and job.payload::jsonb = wanted.payload
     )
     order by wanted.place`,
    [JSON.stringify(payloads), [...names]],
  );
  const missing = new Set(places);
  return payloads.filter((_, at) => missing.has(at + 1));
}
