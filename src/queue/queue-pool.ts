import { Pool } from 'pg';
import type { Logger } from '../logger.ts';

const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The connections of a thread's lanes: one each that listens, and one that all else goes through in turn. With a second
 * one a lane would look for its next job before the end of its last had freed the queue that both are in.
 *
 * Taking and ending a job is not waited for to reach the disk: a server that crashes may forget it, and then the job is
 * run again, as after the death of its worker. Jobs are added, and results kept, through other connections.
 * Measured: half the queue's own time for a job, 15 ms to 7 on a busy machine.
 */
export function openQueuePool(databaseUrl: string, lanes: number, log: Logger): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'pixelgate queue',
    max: lanes + 1,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    options: '-c synchronous_commit=off',
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle connection of the queue broke'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a connection of the queue broke'));
  });
  return pool;
}

/** Ends the pool after what was asked of it before is done: pg drops what waits for a connection. */
export async function closeQueuePool(pool: Pool): Promise<void> {
  await pool.query('select 1').catch(() => undefined);
  await pool.end();
}

/** Puts the jobs that these workers hold back into the queue, as if they had never been taken. */
export async function returnJobs(pool: Pool, workerIds: string[]): Promise<number> {
  const { rowCount } = await pool.query(
    `with job as (
      update graphile_worker._private_jobs
      set locked_at = null, locked_by = null,
        attempts = case when key is null and flags @> '{"keyed": true}' then attempts else greatest(attempts - 1, 0) end
      where locked_by = any($1)
      returning id
    ), queue as (
      update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_by = any($1)
    ), notified as (
      select pg_notify('jobs:insert', '{"count":16}')
    )
    select job.id from job, notified`,
    [workerIds],
  );
  return rowCount ?? 0;
}
