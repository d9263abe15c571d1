import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';
import type { JobName, JobPayloads } from './job-kinds.ts';

const Answer = z.object({ found: z.boolean() });

/** Whether a job with one of the keys (see `jobKey`) waits or runs. One that has no attempt left does not count. */
export async function hasJobs(db: Db, keys: readonly string[]): Promise<boolean> {
  const [answer] = await readRows(
    db,
    Answer,
    `select exists (
       select from graphile_worker.jobs
       where key = any(?::text[]) and (locked_at is not null or attempts < max_attempts)
     ) as found`,
    [[...keys]],
  );
  return answer?.found ?? false;
}

/** The keys (see `jobKey`) that no job has: none that waits, runs, or is about to be given up. */
export async function findKeysWithoutJob(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const rows = await readRows(
    db,
    z.object({ key: z.string() }),
    `select key from unnest(?::text[]) as wanted(key)
     where not exists (select from graphile_worker.jobs as job where job.key = wanted.key)`,
    [[...keys]],
  );
  return new Set(rows.map(({ key }) => key));
}

/** The jobs that no worker is working on. */
export async function findIdleJobs(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await readRows(
    db,
    z.object({ id: z.string() }),
    `select id::text from unnest(cast(? as bigint[])) as wanted(id)
    where not exists (
      select from graphile_worker.jobs as job where job.id = wanted.id and job.locked_at is not null
    )`,
    [[...ids]],
  );
  return rows.map(({ id }) => id);
}

/** The payloads that no job of these kinds has: none that waits, runs, or is about to be given up. */
export async function findPayloadsWithoutJob<N extends JobName>(
  db: Db,
  names: readonly N[],
  payloads: readonly JobPayloads[N][],
): Promise<JobPayloads[N][]> {
  const rows = await readRows(
    db,
    z.object({ place: z.number() }),
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
  const missing = new Set(rows.map(({ place }) => place));
  return payloads.filter((_, at) => missing.has(at + 1));
}
