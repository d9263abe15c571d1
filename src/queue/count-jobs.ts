import type { Db } from '../db/database.ts';

/** Jobs that could run now, that are scheduled for later, that are running, and that have no attempt left. */
type QueueStates = { ready: number; delayed: number; running: number; failed: number };

/** How full the queue is, over all hosts. */
export async function countJobs(db: Db): Promise<QueueStates> {
  const { rows } = await db.raw<{ rows: QueueStates[] }>(
    `select
      count(*) filter (where is_available and run_at <= now())::integer as ready,
      count(*) filter (where is_available and run_at > now())::integer as delayed,
      count(*) filter (where locked_at is not null)::integer as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::integer as failed
    from graphile_worker._private_jobs`,
  );
  return rows[0] ?? { ready: 0, delayed: 0, running: 0, failed: 0 };
}
