import type { Db } from '../db/database.ts';
import { decideVerdict } from '../pull-requests/check/check-verdict.ts';
import { readRunCheck } from '../pull-requests/check/run-check.ts';
import { jobKey } from '../queue/enqueue.ts';
import { findKeysWithoutJob } from '../queue/has-jobs.ts';
import type { Fault } from './fault.ts';
import { readBatches } from './read-batches.ts';
import { findPullRequestRunIds } from './run-check-store.ts';

const BATCH = 1000;

const said = ({ status, conclusion }: { status: string; conclusion: string | null }) => conclusion ?? status;

/** Null when GitHub shows what the run needs, or no longer takes its check. Titles may differ after an upgrade. */
async function findDifference(db: Db, runId: string): Promise<Fault | null> {
  const check = await readRunCheck(db, runId);
  if (check === null || check.shown?.state === 'gone') return null;
  const needed = said(decideVerdict(check));
  const shown = check.shown?.state === 'shown' ? said(check.shown) : 'nothing';
  if (needed === shown) return null;
  const { testSuiteId: suiteId } = check.run;
  const message = `its check should be ${needed}, and GitHub shows ${shown}`;
  return { kind: 'check_behind', suiteId, subject: `run ${runId}`, message };
}

async function isBeingShown(db: Db, runId: string): Promise<boolean> {
  const key = jobKey('show-check', { runId });
  return key !== null && (await findKeysWithoutJob(db, [key])).size === 0;
}

/** GitHub shows of every pull request's run what its row says, or a job is about to tell it. */
export async function* checkChecks(db: Db): AsyncGenerator<Fault> {
  for await (const ids of readBatches(BATCH, (after: string | null, size) => findPullRequestRunIds(db, after, size))) {
    for (const id of ids) {
      if ((await findDifference(db, id)) === null || (await isBeingShown(db, id))) continue;
      const fault = await findDifference(db, id);
      if (fault !== null) yield fault;
    }
  }
}
