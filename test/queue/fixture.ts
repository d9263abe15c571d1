import type { Knex } from 'knex';
import { createLogger } from '../../src/logger.ts';
import type { JobName, JobPayloads } from '../../src/queue/job-kinds.ts';
import type { RunJob } from '../../src/queue/job-runner.ts';
import type { JobRun } from '../../src/queue/job.ts';

export const log = createLogger('silent');

export type OwnHandlers = { [N in JobName]?: (payload: JobPayloads[N], job: JobRun) => Promise<void> };

/** Runs the handlers in `own`. All other jobs do nothing. */
export const runBy =
  (own: OwnHandlers): RunJob =>
  async (name, payload, job) =>
    own[name]?.(payload, job);

export type Gate = { opened: Promise<void>; open: () => void };

/** Something that a test, or a job in a test, waits for. */
export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Asks again until the answer is yes. The test's own time limit applies. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

export type JobRow = {
  name: string;
  payload: unknown;
  key: string | null;
  queue: string | null;
  priority: number;
  attempts: number;
  maxAttempts: number;
  lockedBy: string | null;
  error: string | null;
  later: boolean;
};

export async function jobsIn(db: Knex): Promise<JobRow[]> {
  const { rows } = await db.raw<{ rows: JobRow[] }>(
    `select task.identifier as name, job.payload, job.key, queue.queue_name as queue, job.priority, job.attempts,
      job.max_attempts, job.locked_by, job.last_error as error, job.run_at > now() as later
    from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    left join graphile_worker._private_job_queues as queue on queue.id = job.job_queue_id
    order by job.id`,
  );
  return rows;
}

export async function clearJobs(db: Knex): Promise<void> {
  await db.raw('truncate graphile_worker._private_jobs, graphile_worker._private_job_queues');
}

/** Leaves a job in the state in which a killed worker leaves it. */
export async function pretendTaken(db: Knex, workerId: string, attempts: number): Promise<void> {
  await db.raw('update graphile_worker._private_jobs set locked_at = now(), locked_by = ?, attempts = ?', [
    workerId,
    attempts,
  ]);
  await db.raw(
    `update graphile_worker._private_job_queues as queue set locked_at = now(), locked_by = ?
    where exists (select 1 from graphile_worker._private_jobs as job where job.job_queue_id = queue.id)`,
    [workerId],
  );
}

/** As if that many workers had died beside each job. */
export async function pretendDeaths(db: Knex, count: number): Promise<void> {
  const deaths = Object.fromEntries(Array.from({ length: count }, (_, at) => [`died/${at}`, true]));
  await db.raw('update graphile_worker._private_jobs set flags = flags || ?::jsonb', [JSON.stringify(deaths)]);
}
