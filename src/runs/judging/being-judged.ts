import type { Context } from '../../context.ts';
import { jobKey } from '../../queue/enqueue.ts';
import { hasJobs } from '../../queue/has-jobs.ts';
import type { Run } from '../run.ts';

/** Whether the run's results will be judged again because the suite's ignored areas or changes have changed. */
export async function isBeingJudged(
  { db }: Pick<Context, 'db'>,
  { id, testSuiteId, status }: Pick<Run, 'id' | 'testSuiteId' | 'status'>,
): Promise<boolean> {
  if (status !== 'COMPLETED') return false;
  const keys = [jobKey('judge-suite', { suiteId: testSuiteId }), jobKey('judge-run', { runId: id })];
  return hasJobs(
    db,
    keys.filter((key) => key !== null),
  );
}
