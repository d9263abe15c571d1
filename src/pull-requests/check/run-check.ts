import { inSnapshot, notNull, type Db } from '../../db/database.ts';
import { enqueueAll } from '../../queue/enqueue.ts';
import { countHeard } from '../../review/changes/heard-store.ts';
import { listChanges } from '../../review/changes/list-changes.ts';
import { listChangeRequests } from '../../review/verdicts/read-verdicts.ts';
import { queueCheckUpdate } from '../../runs/queue-check-update.ts';
import { findRun, lockRunsOfSuite } from '../../runs/run-store.ts';
import { isInFlight, type PullRequestKey, type Run } from '../../runs/run.ts';
import { readSettings } from '../../runs/settings-change/read-settings.ts';
import type { EndOfRuns } from '../../suites/suite-life.ts';
import { findAttemptsAtCommit, findNewestAttempt } from '../pull-request-run-store.ts';
import type { CommitKey } from '../pull-request-run.ts';
import { MAX_GROUPS } from './check-groups.ts';
import { MAX_LOOKS } from './check-settings.ts';
import {
  findCheckResults,
  findCheckRow,
  findOpenChecks,
  findRunIdOfCheck,
  findStaleCheckRunIds,
  isCheckOutdated,
  setCheckProblem,
} from './check-store.ts';
import { decideOwnVerdict } from './check-verdict.ts';
import { passes, type OtherVerdict, type RunCheck } from './check.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The maximum number that a check names. */
const MAX_REQUESTS = 20;

type OwnCheck = Omit<RunCheck, 'others' | 'isPast' | 'isRepeated'>;

async function readOwnCheck(db: Db, runId: string): Promise<OwnCheck | null> {
  const found = await findCheckRow(db, runId);
  const run = await findRun(db, runId);
  if (found === null || run === null) return null;
  const row = notNull(found, 'owner', 'repo', 'headSha', 'installationId', 'checkName');
  const { checkName: name, checkProblem: notice, checkShown: shown, ...rest } = row;
  return {
    ...rest,
    run,
    name,
    notice,
    shown,
    results: await findCheckResults(db, runId),
    ...(isInFlight(run.status)
      ? { changes: { groups: [], total: 0, undecided: 0 }, heard: { differences: 0, pages: 0 } }
      : { changes: await listChanges({ db }, run, { limit: MAX_GROUPS }, 1), heard: await countHeard(db, run.id) }),
    settings: await readSettings({ db }, run, { looks: MAX_LOOKS }),
    requests: await listChangeRequests({ db }, run, { limit: MAX_REQUESTS }),
  };
}

/** What else decides about the check at its commit. */
async function readOthers(
  db: Db,
  { run, ...commit }: Pick<OwnCheck, 'run' | 'owner' | 'repo' | 'headSha'>,
): Promise<Pick<RunCheck, 'others' | 'isPast' | 'isRepeated'>> {
  const attempts = await findAttemptsAtCommit(db, commit, run.testSuiteId);
  const isOwn = ({ number }: { number: number }) => number === run.git?.prNumber;
  const others: OtherVerdict[] = [];
  for (const { id, number } of attempts.filter((each) => each.isCurrent && !isOwn(each))) {
    const check = await readOwnCheck(db, id);
    if (check !== null) others.push({ number, verdict: decideOwnVerdict(check) });
  }
  const own = attempts.find(isOwn);
  return { others, isPast: own?.isCurrent === false, isRepeated: own !== undefined && own.id !== run.id };
}

/**
 * Null when the run was deleted, or is not of a pull request. All of one moment: a run from before its errors are captured
 * again, with its results from after that, would pass.
 */
export async function readRunCheck(db: Db, runId: string): Promise<RunCheck | null> {
  return inSnapshot(db, async (trx) => {
    const check = await readOwnCheck(trx, runId);
    return check === null ? null : { ...check, ...(await readOthers(trx, check)) };
  });
}

/** Whether nothing is left to review in the run. The pull request may have had another base then. */
export async function hasPassed(db: Db, runId: string): Promise<boolean> {
  const check = await readOwnCheck(db, runId);
  return check !== null && passes(decideOwnVerdict({ ...check, run: { ...check.run, isGated: true } }));
}

/** Updates the checks at a commit that is, or was, the head of several pull requests: each shows all of them. */
export async function queueChecksAtCommit(trx: Db, commit: CommitKey): Promise<void> {
  const attempts = await findAttemptsAtCommit(trx, commit, null);
  if (new Set(attempts.map(({ number }) => number)).size < 2) return;
  for (const { id } of attempts) await queueCheckUpdate(trx, { id, runType: 'PR' }, 'now');
}

/**
 * What the run's check shows on GitHub: ids of variants of changes, and the hash of loosened settings, '' for none. Null:
 * GitHub has not been told of the run's last change, or it is not known what it shows, or whoever pressed the button was
 * shown something else.
 */
export async function readShown(
  db: Db,
  runId: string,
  button: string,
): Promise<{ shown: string[]; settings: string } | null> {
  const row = await findCheckRow(db, runId);
  const told = row?.checkShown ?? null;
  if (told !== null && (told.state !== 'shown' || (await isCheckOutdated(db, runId)))) return null;
  if (told?.buttons?.includes(button) === false) return null;
  return { shown: told?.variants ?? [], settings: told?.settings ?? '' };
}

/** The check of a suite's last attempt at a pull request's head; null when there was no attempt. */
export async function readNewestCheck(
  db: Db,
  suiteId: string,
  head: PullRequestKey & { headSha: string },
): Promise<RunCheck | null> {
  const newest = await findNewestAttempt(db, suiteId, head);
  return newest === null ? null : readRunCheck(db, newest.id);
}

/** Shows a notice in the check that does not come from the run's state; null removes it. */
export async function setCheckNotice(trx: Db, run: Pick<Run, 'id' | 'runType'>, notice: string | null): Promise<void> {
  await setCheckProblem(trx, run.id, notice);
  await queueCheckUpdate(trx, run, 'now');
}

/**
 * Queues an update of each outdated check that has no waiting job. Returns how many checks are outdated.
 * @param isAtOnce also of those that changed, or that GitHub refused, a moment ago
 */
export async function queueStaleChecks(db: Db, isAtOnce = false): Promise<number> {
  const ids = await findStaleCheckRunIds(db, isAtOnce);
  for (const id of ids) await queueCheckUpdate(db, { id, runType: 'PR' }, 'if-idle');
  return ids.length;
}

/** The run of a GitHub check. `externalId` is the run's id, which we set. Null: the check is not one of ours. */
export async function findRunOfCheck(
  db: Db,
  check: { owner: string; repo: string; checkRunId: number; externalId: string | null },
): Promise<Run | null> {
  const { externalId, ...sought } = check;
  const runId = externalId !== null && UUID.test(externalId) ? externalId.toLowerCase() : null;
  const id = await findRunIdOfCheck(db, { ...sought, runId });
  return id === null ? null : findRun(db, id);
}

/** Ends the checks of a suite. A job that is creating one of them finishes first, because the jobs of one check share a queue. */
async function queueEndOfChecks(trx: Db, suiteId: string): Promise<void> {
  const checks = await findOpenChecks(trx, suiteId);
  const jobs = checks.map((payload) => ({ payload }));
  await enqueueAll(trx, 'end-check', jobs);
}

/** What becomes of the runs of a suite that is deleted. */
export const END_OF_RUNS: EndOfRuns = { lock: lockRunsOfSuite, queueEndOfChecks };
