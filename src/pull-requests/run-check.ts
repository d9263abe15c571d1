import type { Db } from '../db/database.ts';
import {
  findCheckResults,
  findCheckRow,
  findRunIdOfCheck,
  findStaleCheckRunIds,
  setCheckProblem,
  setCheckShown,
} from './check-store.ts';
import { findNewestAttempt } from './pull-request-run-store.ts';
import { findRun } from '../runs/run-store.ts';
import type { CheckShown, RunCheck } from './check.ts';
import type { PullRequestKey, Run } from '../runs/run.ts';
import { tellCheck } from '../runs/tell-check.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Younger changes have their own job on its way; what GitHub did not take is tried again in an hour, for a week. */
const STALE = { settleSeconds: 60, retrySeconds: 3_600, maxAgeSeconds: 7 * 86_400, count: 1_000 };

/** Null when the run was deleted, or is no pull request's. */
export async function readRunCheck(db: Db, runId: string): Promise<RunCheck | null> {
  const row = await findCheckRow(db, runId);
  const run = await findRun(db, runId);
  if (row === null || run === null) return null;
  const { owner, repo, headSha, installationId, checkName } = row;
  if (owner === null || repo === null || headSha === null || installationId === null || checkName === null) {
    throw new Error(`Run ${runId} belongs to a pull request, but does not say which`);
  }
  return {
    run,
    owner,
    repo,
    headSha,
    installationId,
    name: checkName,
    totalResults: row.totalResults,
    results: await findCheckResults(db, runId),
    notice: row.checkProblem,
    shown: row.checkShown,
    readAt: row.readAt,
  };
}

/** To be committed before GitHub is asked for a check. */
export async function expectCheck(db: Db, runId: string): Promise<void> {
  await setCheckShown(db, runId, { state: 'creating' });
}

/** The check of the last attempt at a pull request's head by a suite; null when there was none. */
export async function readNewestCheck(
  db: Db,
  suiteId: string,
  head: PullRequestKey & { headSha: string },
): Promise<RunCheck | null> {
  const newest = await findNewestAttempt(db, suiteId, head);
  return newest === null ? null : readRunCheck(db, newest.id);
}

/** What GitHub shows since; a state of the run that came after `readAt` is still to be told. */
export async function keepCheckShown(
  db: Db,
  check: Pick<RunCheck, 'run' | 'readAt'>,
  shown: CheckShown,
  checkRunId?: number,
): Promise<void> {
  const made = checkRunId === undefined ? {} : { checkRunId };
  await setCheckShown(db, check.run.id, shown, { shownAt: check.readAt, ...made });
}

/** Says a thing in the check that is no state of the run; null takes it back. */
export async function noteOnCheck(trx: Db, run: Pick<Run, 'id' | 'runType'>, notice: string | null): Promise<void> {
  await setCheckProblem(trx, run.id, notice);
  await tellCheck(trx, run, 'now');
}

/** @returns how many checks were behind their runs, and are brought up to date now unless a job for it waits already. */
export async function queueStaleChecks(db: Db): Promise<number> {
  const ids = await findStaleCheckRunIds(db, STALE);
  for (const id of ids) await tellCheck(db, { id, runType: 'PR' }, 'if-idle');
  return ids.length;
}

/** The run that a check of GitHub's stands for. `externalId` is what we called it: the run's id. Null: none of ours. */
export async function runOfCheck(
  db: Db,
  check: { owner: string; repo: string; checkRunId: number; externalId: string | null },
): Promise<Run | null> {
  const { externalId, ...sought } = check;
  const runId = externalId !== null && UUID.test(externalId) ? externalId.toLowerCase() : null;
  const id = await findRunIdOfCheck(db, { ...sought, runId });
  return id === null ? null : findRun(db, id);
}
