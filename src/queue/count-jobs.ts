import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';

/** Jobs that could run now, that are scheduled for later, that are running, and that have no attempt left. */
const QueueStates = z.object({ ready: z.number(), delayed: z.number(), running: z.number(), failed: z.number() });
type QueueStates = z.infer<typeof QueueStates>;

/** How full the queue is, over all hosts. */
export async function countJobs(db: Db): Promise<QueueStates> {
  const [states] = await readRows(
    db,
    QueueStates,
    `select
      count(*) filter (where is_available and run_at <= now())::integer as ready,
      count(*) filter (where is_available and run_at > now())::integer as delayed,
      count(*) filter (where locked_at is not null)::integer as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::integer as failed
    from graphile_worker._private_jobs`,
  );
  return states ?? { ready: 0, delayed: 0, running: 0, failed: 0 };
}
