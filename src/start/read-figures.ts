import type { Context } from '../context.ts';
import { readDatabaseSize } from '../db/connect.ts';
import { findWebhookLag } from '../github/webhooks/delivery-store.ts';
import { countJobs, countWorkersWanted } from '../queue/count-jobs.ts';
import type { Readings } from '../queue/metric.ts';
import { countPages } from '../runs/page-jobs/page-work-store.ts';

/** What `/metrics` asks the database and the storage at each scrape. One that fails leaves the others. */
export function figureReaders({
  config: { role, workerThreads },
  db,
  storage,
}: Pick<Context, 'config' | 'db' | 'storage'>): (() => Promise<Readings>)[] {
  const readers: (() => Promise<Readings>)[] = [
    async () => {
      const { states, age } = await countJobs(db);
      return { queue_jobs: states, queue_age: age };
    },
    async () => ({ queue_screenshots: await countPages(db) }),
    async () => ({ webhook_lag: await findWebhookLag(db) }),
    async () => ({ storage_bytes: (await storage.space()) ?? {} }),
    async () => ({ database_bytes: await readDatabaseSize(db) }),
  ];
  // Only workers know what a worker can do.
  if (role !== 'web') readers.push(async () => ({ workers_wanted: await countWorkersWanted(db, workerThreads) }));
  return readers;
}
