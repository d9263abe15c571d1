import type { Context } from '../../context.ts';
import { errorMessage } from '../../errors.ts';
import { keepCheckShown } from '../../pull-requests/check/check-store.ts';
import type { RunCheck } from '../../pull-requests/check/check.ts';
import { decideCheck, type DesiredCheck } from '../../pull-requests/check/desired-check.ts';
import { queueChecksAtCommit, queueStaleChecks, readRunCheck } from '../../pull-requests/check/run-check.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { sha256Of } from '../../text/sha256.ts';
import { readCredentials } from '../app/credentials.ts';
import { askGitHub, installationClient, type GitHub, type GitHubContext } from '../app/github-client.ts';
import { checkLinks } from './check-links.ts';
import { findCheckRun, putCheckRun } from './put-check-run.ts';

/** A hash of what GitHub is told. */
function computeFingerprint({ variants: _variants, ...told }: DesiredCheck): string {
  return sha256Of(JSON.stringify(told));
}

const toKey = ({ run, ...check }: RunCheck) => ({ ...check, externalId: run.id });

/** The ID of the run's check, if it exists: either known, or created by a request whose answer was lost. */
async function existingCheck(github: GitHub, check: RunCheck): Promise<number | null> {
  const known = check.run.git?.checkRunId ?? null;
  return known !== null || check.shown?.state !== 'creating' ? known : findCheckRun(github, toKey(check));
}

/**
 * GitHub goes by the newest check of a name, so one that is missing is not created after that of a later attempt.
 * @returns the ID of the check; null if there is none.
 */
async function show(
  ctx: GitHubContext,
  github: GitHub,
  check: RunCheck,
  desired: DesiredCheck,
): Promise<number | null> {
  const { run } = check;
  const told = { check: desired, completedAt: run.endedAt ?? check.readAt, actions: desired.actions };
  const existing = await existingCheck(github, check);
  if (existing !== null) return putCheckRun(github, toKey(check), existing, told);
  if (check.isRepeated) return null;
  // Committed before GitHub is asked, in case its answer is lost.
  await keepCheckShown(ctx.db, run.id, { state: 'creating' });
  return putCheckRun(github, toKey(check), null, { ...told, startedAt: run.createdAt });
}

/** Makes GitHub show the desired check, and stores what it shows. */
async function updateCheck(ctx: GitHubContext, check: RunCheck, desired: DesiredCheck): Promise<void> {
  const { status, conclusion, variants, actions } = desired;
  const fingerprint = computeFingerprint(desired);
  const { settingsHash: settings } = check.run;
  const buttons = actions.map(({ identifier }) => identifier);
  const shown = { state: 'shown' as const, fingerprint, status, conclusion, variants, settings, buttons };
  if (check.shown?.state === 'shown' && check.shown.fingerprint === shown.fingerprint) {
    await keepCheckShown(ctx.db, check.run.id, shown, { shownAt: check.readAt });
    return;
  }
  const github = await installationClient(ctx, check.installationId);
  const checkRunId = await show(ctx, github, check, desired);
  if (checkRunId === null) {
    const gone = { state: 'gone' as const, reason: 'A later attempt at the commit has a check' };
    return keepCheckShown(ctx.db, check.run.id, gone, { shownAt: check.readAt });
  }
  await keepCheckShown(ctx.db, check.run.id, shown, { shownAt: check.readAt, checkRunId });
  if (!isProgress(check, desired)) await queueChecksAtCommit(ctx.db, check);
}

const isProgress = ({ shown }: RunCheck, { status }: DesiredCheck) =>
  shown?.state === 'shown' && shown.status === 'in_progress' && status === 'in_progress';

/** The comment and the check over all suites don't show progress. */
async function queueTold({ db }: GitHubContext, check: RunCheck, desired: DesiredCheck) {
  const { run, owner, repo } = check;
  const number = run.git?.prNumber;
  if (number !== undefined && !isProgress(check, desired))
    await enqueue(db, 'tell-pull-request', { owner, repo, number });
}

/**
 * Job: makes GitHub show the check that the run needs now. It creates the check once, then updates it, and sends no
 * request when nothing changed. Jobs of one run share a queue. A check that GitHub no longer accepts (App uninstalled,
 * repository archived, commit force-pushed away) ends with a log line.
 * @param hasImages whether checks show what changed as images
 */
export async function showCheck(
  ctx: GitHubContext,
  { runId }: { runId: string },
  hasImages: () => Promise<boolean>,
): Promise<void> {
  const check = await readRunCheck(ctx.db, runId);
  if (check === null || (await readCredentials(ctx)) === null) return;
  const desired = decideCheck(check, check.notice, checkLinks(ctx.config, check.run, await hasImages()));
  // The end of the run is reported even then: the suspension of an installation may be over.
  if (check.shown?.state === 'gone' && desired.status !== 'completed') return;
  const update = async () => {
    await updateCheck(ctx, check, desired);
    await queueTold(ctx, check, desired);
  };
  const ifGone = async (error: unknown) => {
    const { owner, repo, headSha } = check;
    ctx.log.warn({ err: error, runId, owner, repo, headSha }, 'GitHub no longer accepts the check of this run');
    await keepCheckShown(ctx.db, runId, { state: 'gone', reason: errorMessage(error) }, { shownAt: check.readAt });
  };
  await askGitHub(ctx, 'show-check', { runId }, update, { delays: true, ifGone });
}

/**
 * Runs periodically. No required check may hang because a job was lost, GitHub was down for a long time, or an
 * installation was suspended.
 */
export async function sweepChecks(ctx: Pick<Context, 'config' | 'db' | 'log'>): Promise<void> {
  if ((await readCredentials(ctx)) === null) return;
  const checks = await queueStaleChecks(ctx.db);
  if (checks > 0) ctx.log.info({ checks }, 'queued updates of outdated checks');
}
