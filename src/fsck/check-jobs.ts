import type { Db } from '../db/database.ts';
import { jobKey } from '../queue/enqueue.ts';
import { findKeysWithoutJob } from '../queue/has-jobs.ts';
import { findOpenWork } from '../runs/page-jobs/page-work-store.ts';
import { slotKeys } from '../runs/page-jobs/slots.ts';
import type { Fault } from './fault.ts';
import { readBatches } from './read-batches.ts';
import { findOpenRun, findOpenRuns } from './run-check-store.ts';
import type { OpenRun } from './run-check-store.ts';

const BATCH = 1000;

async function hasOneOf(db: Db, keys: (string | null)[]): Promise<boolean> {
  const known = keys.filter((key) => key !== null);
  return (await findKeysWithoutJob(db, known)).size < known.length;
}

/** What of the run nobody will do; null when all of it has a job. */
async function findStanding(
  db: Db,
  { id: runId, suiteId, awaitsPreview, hasPending }: OpenRun,
): Promise<string | null> {
  if (awaitsPreview) {
    const keys = [jobKey('find-preview', { runId }), jobKey('expire-preview', { runId })];
    return (await hasOneOf(db, keys)) ? null : 'no job looks for its preview';
  }
  if (!hasPending) {
    return (await hasOneOf(db, [jobKey('finish-run', { runId })])) ? null : 'no job ends it';
  }
  for (const work of await findOpenWork(db, runId)) {
    if (!(await hasOneOf(db, slotKeys(suiteId, work)))) return `no slot of its suite is to ${work} its pages`;
  }
  return null;
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
