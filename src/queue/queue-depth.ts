import type { Db } from '../db/database.ts';
import { JOB_NAMES } from './job.ts';
import { countJobs } from './job-store.ts';
import type { QueueDepth } from './job-store.ts';

export type { QueueDepth } from './job-store.ts';

/** How full the queue is, with a row for each job name, so that a gauge falls back to 0. */
export async function readQueueDepth(db: Db): Promise<QueueDepth[]> {
  const counted = new Map((await countJobs(db)).map((row) => [row.name, row]));
  return JOB_NAMES.map((name) => counted.get(name) ?? { name, ready: 0, delayed: 0, running: 0, failed: 0 });
}

/** Jobs of every name together, by state. */
export async function countQueueStates(db: Db): Promise<Record<string, number>> {
  const depths = await readQueueDepth(db);
  const sum = (state: 'ready' | 'delayed' | 'running' | 'failed') =>
    depths.reduce((total, depth) => total + depth[state], 0);
  return { ready: sum('ready'), delayed: sum('delayed'), running: sum('running'), failed: sum('failed') };
}
