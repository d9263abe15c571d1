import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';
import { enqueueAll } from './enqueue.ts';
import type { Enqueued } from './enqueue.ts';
import type { JobName } from './job-kinds.ts';

/*
 * The jobs of one user take turns with those of others. A job's priority is the round in which it is due, and each user
 * has one job in each round. So a job that is added waits for one job of each user, however many they have.
 */

/** Kinds of jobs whose priority is a round. */
export const SHARED_KINDS = ['capture-page', 'crawl-suite'] as const satisfies readonly JobName[];

/** The priority is a smallint. What is past its end comes in the order in which it was added. */
const LAST_ROUND = 32_767;
/** Rounds start from one again when they have come this far. */
const MANY_ROUNDS = 10_000;
/** The advisory locks of a user's jobs, by a hash of the user's id, and of all jobs: "turn". */
const LOCK_NAMESPACE = 0x7475726e;

/** Some jobs of a user. Groups take turns, and in each group its flows do. */
export type Flow = {
  /** What the field of the payload says by which its jobs are known. */
  of: string;
  group: string;
  /** A flow with 1 has four turns for one of a flow with 4. */
  weight: number;
};

const TASK = '(select id from graphile_worker._private_tasks where identifier = :name)';

/** The round that is running now: that of the newest job under way, or else the one before the next. */
const CURRENT_ROUND = `coalesce(
  (select max(job.priority) from graphile_worker._private_jobs as job where job.task_id = ${TASK} and job.locked_at is not null),
  (select min(job.priority) - 1 from graphile_worker._private_jobs as job where job.task_id = ${TASK} and job.is_available),
  0)`;

const Round = z.object({ round: z.number() });

/** The round that is running now. A job that is added in the next one waits for one job of each user. */
export async function findRound(db: Db, name: JobName): Promise<number> {
  const [found] = await readRows(db, Round, `select ${CURRENT_ROUND} as round`, { name });
  return Math.min(Math.max(found?.round ?? 0, 0), LAST_ROUND - 1);
}

/** A round behind all jobs that wait now. */
export async function findLastRound(db: Db, name: JobName): Promise<number> {
  const [found] = await readRows(
    db,
    Round,
    `select coalesce(max(priority), 0) + 1 as round from graphile_worker._private_jobs
    where is_available and task_id = ${TASK}`,
    { name },
  );
  return Math.min(found?.round ?? 1, LAST_ROUND);
}

export type FairJobs<N extends JobName> = {
  userId: string;
  /** Of the payload: tells which flow a job is of. */
  field: 'runId';
  /** Those of the user's flows that may have waiting jobs, with the new one. Asked for when nobody else adds to them. */
  findFlows: () => Promise<Flow[]>;
  jobs: readonly Enqueued<N>[];
};

/**
 * Adds jobs of one user in the caller's transaction, and gives each waiting job of the user a round of its own. Takes time
 * by the number of waiting jobs.
 */
export async function enqueueInTurns<N extends JobName>(db: Db, name: N, added: FairJobs<N>): Promise<void> {
  const { userId, field, findFlows, jobs } = added;
  // What follows must see what was added by whoever had the lock.
  await db.raw('select pg_advisory_xact_lock_shared(?, 0), pg_advisory_xact_lock(?, hashtext(?))', [
    LOCK_NAMESPACE,
    LOCK_NAMESPACE,
    userId,
  ]);
  const round = await findRound(db, name);
  await enqueueAll(
    db,
    name,
    jobs.map(({ payload, options }, index) => ({
      payload,
      options: { ...options, userId, priority: Math.min(round + 1 + index, LAST_ROUND) },
    })),
  );
  const flows = await findFlows();
  if (flows.length > 1) await shareTurns(db, name, { field, flows });
}

async function shareTurns(
  db: Db,
  name: JobName,
  { field, flows }: { field: string; flows: readonly Flow[] },
): Promise<void> {
  await db.raw(
    `with flow as materialized (
      select * from json_to_recordset(cast(:flows as json)) as flow("of" text, "group" text, weight integer)
    ), round as materialized (
      select greatest(${CURRENT_ROUND}, 0) as number
    ), own as materialized (
      select job.id, flow."group", flow.weight,
        row_number() over (partition by flow."of" order by job.priority, job.id) * flow.weight as turn
      from graphile_worker._private_jobs as job join flow on flow."of" = job.payload ->> :field
      where job.task_id = ${TASK} and job.is_available
    ), grouped as (
      select id, row_number() over (partition by "group" order by turn, weight, id) as turn from own
    ), shared as (
      select grouped.id, least(round.number + row_number() over (order by turn, grouped.id), ${LAST_ROUND}) as round
      from grouped cross join round
    )
    update graphile_worker._private_jobs as job set priority = shared.round
    from shared where job.id = shared.id and job.priority <> shared.round and job.is_available`,
    { flows: JSON.stringify(flows), name, field },
  );
}

/** Starts the rounds from one again before they come to their end. `db` is a transaction. */
export async function restartRounds(db: Db, name: JobName): Promise<void> {
  const round = await findRound(db, name);
  if (round < MANY_ROUNDS) return;
  const [lock] = await readRows(db, z.object({ held: z.boolean() }), 'select pg_try_advisory_xact_lock(?, 0) as held', [
    LOCK_NAMESPACE,
  ]);
  if (lock?.held !== true) return;
  await db.raw(
    `update graphile_worker._private_jobs as job set priority = greatest(job.priority - :round, 0)
    from graphile_worker._private_tasks as task
    where task.id = job.task_id and task.identifier = :name and job.priority > 0`,
    { round, name },
  );
}
