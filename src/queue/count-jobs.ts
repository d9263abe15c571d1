import { z } from 'zod';
import { readRow, readRows, type Db } from '../db/database.ts';
import { JOB_KINDS, JOB_NAMES } from './job-kinds.ts';
import { countOpenPages, LANE_PLACES, type Lane } from './job.ts';

/** Jobs that could run now, that are scheduled for later, that are running, and that have no attempt left. */
const QueueStates = z.object({ ready: z.number(), delayed: z.number(), running: z.number(), failed: z.number() });
type QueueStates = z.infer<typeof QueueStates>;
const Queue = QueueStates.extend({ age: z.number() });

const IS_WAITING = 'locked_at is null and attempts < max_attempts';
const IS_READY = `${IS_WAITING} and run_at <= now()`;

/** How full the queue is, over all hosts, and how many seconds the oldest job that could run now has waited. */
export async function countJobs(db: Db): Promise<{ states: QueueStates; age: number }> {
  const { age, ...states } = await readRow(
    db,
    Queue,
    `select
      count(*) filter (where ${IS_READY})::integer as ready,
      count(*) filter (where ${IS_WAITING} and run_at > now())::integer as delayed,
      count(*) filter (where locked_at is not null)::integer as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::integer as failed,
      coalesce(extract(epoch from now() - min(run_at) filter (where ${IS_READY})), 0)::double precision as age
    from graphile_worker.jobs`,
  );
  return { states, age };
}

/** A slot of a suite has one page that loads and, as a rule, one before it that waits for rest. */
const PLACES_OF_JOB: Readonly<Record<Lane, number>> = { page: 2, result: 1, crawl: 1, long: 1, short: 1 };

/**
 * How many processes with this many threads would be busy with the jobs that run or could run.
 * @param jobs by kind
 */
export function countWorkers(jobs: ReadonlyMap<string, number>, threads: number): number {
  const lanes = new Map<Lane, number>();
  for (const name of JOB_NAMES) {
    const { lane } = JOB_KINDS[name];
    lanes.set(lane, (lanes.get(lane) ?? 0) + (jobs.get(name) ?? 0) * PLACES_OF_JOB[lane]);
  }
  const wanted = [...lanes].map(([lane, places]) => {
    return Math.ceil(places / (threads * (lane === 'page' ? countOpenPages(threads) : LANE_PLACES[lane])));
  });
  return Math.max(...wanted);
}

const OfKind = z.object({ name: z.string(), jobs: z.number() });

/** How many processes with this many worker threads the queue would keep busy. */
export async function countWorkersWanted(db: Db, threads: number): Promise<number> {
  const rows = await readRows(
    db,
    OfKind,
    `select task_identifier as name, count(*)::integer as jobs
    from graphile_worker.jobs
    where (${IS_READY}) or locked_at is not null
    group by task_identifier`,
  );
  return countWorkers(new Map(rows.map(({ name, jobs }) => [name, jobs])), threads);
}
