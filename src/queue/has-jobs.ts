import { z } from 'zod';
import { readValue, readValues, type Db } from '../db/database.ts';

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
