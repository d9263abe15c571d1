import type { Db } from '../db/database.ts';
import { jobKey } from '../queue/enqueue.ts';
import { findKeysWithoutJob, findPayloadsWithoutJob } from '../queue/has-jobs.ts';
import type { Fault } from './fault.ts';
import { readBatches } from './read-batches.ts';
import { findOpenRun, findOpenRuns, findPendingPaths } from './run-check-store.ts';
import type { OpenRun } from './run-check-store.ts';

const BATCH = 1000;

/** Of these, the job of a page is the next. */
const PAGE_JOBS = ['capture-page', 'compare-page', 'capture-control'] as const;

async function hasOneOf(db: Db, keys: (string | null)[]): Promise<boolean> {
  const known = keys.filter((key) => key !== null);
  return (await findKeysWithoutJob(db, known)).size < known.length;
}

async function findPageWithoutJob(db: Db, runId: string): Promise<string | null> {
  for await (const paths of readBatches(BATCH, (after: string | null, size) =>
    findPendingPaths(db, runId, after, size),
  )) {
    const [page] = await findPayloadsWithoutJob(
      db,
      PAGE_JOBS,
      paths.map((path) => ({ runId, path })),
    );
    if (page !== undefined) return page.path;
  }
  return null;
}

/** What of the run nobody will do; null when all of it has a job. */
async function findStanding(db: Db, { id: runId, awaitsPreview, hasPending }: OpenRun): Promise<string | null> {
  if (awaitsPreview) {
    const keys = [jobKey('find-preview', { runId }), jobKey('expire-preview', { runId })];
    return (await hasOneOf(db, keys)) ? null : 'no job looks for its preview';
  }
  if (!hasPending) {
    return (await hasOneOf(db, [jobKey('finish-run', { runId })])) ? null : 'no job ends it';
  }
  const path = await findPageWithoutJob(db, runId);
  return path === null ? null : `no job captures or compares ${path}`;
}

/**
 * Every run in flight has a job for what comes next. Between reading the run and its jobs it may have moved on, so what
 * stands is read twice.
 */
export async function* checkJobs(db: Db): AsyncGenerator<Fault> {
  for await (const runs of readBatches(BATCH, (after: OpenRun | null, size) =>
    findOpenRuns(db, after?.id ?? null, size),
  )) {
    for (const run of runs) {
      if ((await findStanding(db, run)) === null) continue;
      const again = await findOpenRun(db, run.id);
      const message = again === null ? null : await findStanding(db, again);
      if (message !== null) {
        yield { kind: 'run_without_job', suiteId: run.suiteId, subject: `run ${run.id}`, message };
      }
    }
  }
}
