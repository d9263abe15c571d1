import { findUserOfAccount } from '../../auth/change-account.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { CHECK_ACTIONS } from '../../pull-requests/check/desired-check.ts';
import { findRunOfCheck, readShown, setCheckNotice } from '../../pull-requests/check/run-check.ts';
import { runAgain } from '../../pull-requests/start-pull-request-run.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { approveInTransaction } from '../../review/approval/approve-run.ts';
import { describeLeftOut } from '../../review/approval/describe-decision.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { rerunEveryError } from '../../runs/rerun-errors.ts';
import { lockRun } from '../../runs/run-store.ts';
import type { Run } from '../../runs/run.ts';
import { parseGroupBranch } from '../checks/judge-merge-group.ts';
import { parseSummaryId } from '../checks/show-summary.ts';
import { recordSignal } from '../previews/record-signal.ts';
import { repositoryKey, type CheckRunEvent, type CheckSuiteEvent, type HandlerContext } from './event-shapes.ts';
import { readCheckSignal } from './on-preview-signal.ts';

/** Who pressed which button of a check. */
type Press = { sender: { id: number; login: string }; button: string };

/**
 * Approves what the check shows, as the person whose account is linked. Returns null if everything was approved.
 * Otherwise returns why not, or what was left out, for the check.
 */
async function refusal(
  trx: Db,
  { config }: HandlerContext,
  run: Run,
  { sender, button }: Press,
): Promise<string | null> {
  const who = `@${sender.login} could not approve these changes from GitHub`;
  const viewer = await findUserOfAccount({ db: trx }, String(sender.id));
  if (viewer === null) {
    return `${who} because no account at ${config.publicUrl} is linked to that GitHub account. Sign in there with GitHub first.`;
  }
  try {
    const approvable = await getRunFor({ db: trx }, { ...viewer, pressedAs: sender.login }, run.id, 'suite.approve');
    await lockRun(trx, run.id);
    const shown = await readShown(trx, run.id, button);
    if (shown === null) return `${who} because the run had changed in the meantime. Look at it again.`;
    const left = describeLeftOut(await approveInTransaction(trx, approvable, shown));
    return left.length === 0 ? null : `@${sender.login} approved what this check shows. ${left.join(' ')}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // No role and too low a role get the same answer, so that nobody learns what exists.
    const mayNot = error.kind === 'not_found' || error.kind === 'forbidden';
    return `${who}: ${mayNot ? 'the REVIEWER role on the suite is required.' : `${error.message}.`}`;
  }
}

/**
 * The "Approve" button in a check. GitHub shows it to everyone who can write to the repository, whatever their role
 * here. The check's summary explains a refusal.
 */
async function approveFromGitHub(trx: Db, ctx: HandlerContext, run: Run, press: Press): Promise<void> {
  const refused = await refusal(trx, ctx, run, press);
  ctx.log.info({ runId: run.id, login: press.sender.login, refused }, 'approval requested on GitHub');
  await setCheckNotice(trx, run, refused);
}

async function findRunOfEvent(trx: Db, { repository, check_run: check }: CheckRunEvent): Promise<Run | null> {
  return findRunOfCheck(trx, {
    ...repositoryKey(repository),
    checkRunId: check.id,
    externalId: check.external_id ?? null,
  });
}

/** False: the branch is not that of a merge group. */
async function judgeAgain(
  trx: Db,
  { repository, installation }: Pick<CheckRunEvent, 'repository' | 'installation'>,
  { headSha, branch }: { headSha: string; branch: string | null },
): Promise<boolean> {
  if (branch === null || parseGroupBranch(branch) === null || installation === undefined) return false;
  const group = { ...repositoryKey(repository), headSha, headRef: branch, installationId: installation.id };
  await enqueue(trx, 'judge-merge-group', group);
  return true;
}

async function rerun(trx: Db, ctx: HandlerContext, payload: CheckRunEvent): Promise<void> {
  const { head_sha, check_suite: suite, external_id: externalId } = payload.check_run;
  if (await judgeAgain(trx, payload, { headSha: head_sha, branch: suite.head_branch })) return;
  const summarized = parseSummaryId(externalId);
  if (summarized !== null) {
    const commit = { ...repositoryKey(payload.repository), headSha: head_sha.toLowerCase() };
    return runAgain(trx, ctx, commit, (_linked, number) => number === summarized);
  }
  const run = await findRunOfEvent(trx, payload);
  const headSha = run?.git?.headSha;
  if (run === null || headSha === undefined) return;
  await runAgain(
    trx,
    ctx,
    { ...repositoryKey(payload.repository), headSha },
    (linked, number) => linked.suite.id === run.testSuiteId && number === run.git?.prNumber,
  );
}

async function act(trx: Db, ctx: HandlerContext, payload: CheckRunEvent): Promise<void> {
  const button = payload.requested_action?.identifier ?? '';
  const action = CHECK_ACTIONS.find((known) => known === button.split(':')[0]);
  const run = await findRunOfEvent(trx, payload);
  if (run === null || action === undefined) return;
  const { id, login } = payload.sender;
  switch (action) {
    case 'approve':
      return approveFromGitHub(trx, ctx, run, { sender: { id, login }, button });
    case 'rerun_errors': {
      const results = await rerunEveryError(trx, run.id);
      ctx.log.info({ runId: run.id, login, results }, 're-run of errors requested on GitHub');
      await setCheckNotice(trx, run, null);
    }
  }
}

/** Some hosts announce previews by checks. GitHub also sends us events of our own checks, which don't. */
async function hear(trx: Db, ctx: HandlerContext, payload: CheckRunEvent): Promise<void> {
  const signal = readCheckSignal(payload);
  if (signal === null || (await findRunOfEvent(trx, payload)) !== null) return;
  await recordSignal(trx, ctx, signal);
}

/** "Re-run" on one of our checks, the buttons in it, and the checks by which hosts announce previews. */
export async function onCheckRun(trx: Db, ctx: HandlerContext, payload: CheckRunEvent): Promise<void> {
  if (payload.action === 'rerequested') await rerun(trx, ctx, payload);
  else if (payload.action === 'requested_action') await act(trx, ctx, payload);
  else await hear(trx, ctx, payload);
}

/**
 * "Re-run all checks". Pull requests are found by commit, because `pull_requests` in the payload is empty for forks.
 */
export async function onCheckSuite(trx: Db, ctx: HandlerContext, payload: CheckSuiteEvent): Promise<void> {
  if (payload.action !== 'rerequested') return;
  const { head_sha, head_branch: branch } = payload.check_suite;
  const headSha = head_sha.toLowerCase();
  if (await judgeAgain(trx, payload, { headSha, branch })) return;
  await runAgain(trx, ctx, { ...repositoryKey(payload.repository), headSha });
}
