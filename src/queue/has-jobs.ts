import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';

const Answer = z.object({ found: z.boolean() });

/** Whether a job with one of the keys (see `jobKey`) waits or runs. One that has no attempt left does not count. */
export async function hasJobs(db: Db, keys: readonly string[]): Promise<boolean> {
  const [answer] = await readRows(
    db,
    Answer,
    `select exists (
       select from graphile_worker._private_jobs
       where key = any(?::text[]) and (locked_at is not null or attempts < max_attempts)
     ) as found`,
    [[...keys]],
  );
  return answer?.found ?? false;
}
