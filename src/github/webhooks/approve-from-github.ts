import { findUserOfAccount } from '../../auth/linked-accounts.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { approveInTransaction } from '../../review/approve-run.ts';
import { noteOnCheck } from '../../pull-requests/run-check.ts';
import { getRunFor } from '../../runs/read-run.ts';
import type { Run } from '../../runs/run.ts';
import type { HandlerContext } from './handler.ts';

type Sender = { id: number; login: string };

/** Approves as the person whose account is linked. Null: done; else why not, for the check to say. */
async function refusal(trx: Db, { config }: HandlerContext, run: Run, sender: Sender): Promise<string | null> {
  const who = `@${sender.login} could not approve these changes from GitHub`;
  const viewer = await findUserOfAccount({ db: trx }, 'github', String(sender.id));
  if (viewer === null) {
    return `${who} because no account at ${config.publicUrl} is linked to that GitHub account. Sign in there with GitHub first.`;
  }
  try {
    await approveInTransaction(trx, await getRunFor({ db: trx }, viewer, run.id, 'suite.approve'), {});
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // What exists is told only to those who may see it: no role and too low a role are one answer.
    const mayNot = error.kind === 'not_found' || error.kind === 'forbidden';
    return `${who}: ${mayNot ? 'the REVIEWER role on the suite is required.' : `${error.message}.`}`;
  }
}

/**
 * The button "Approve" in a check: GitHub shows it to whoever may write to the repository, which says nothing of their
 * role here. A refusal is explained in the check's summary.
 */
export async function approveFromGitHub(trx: Db, ctx: HandlerContext, run: Run, sender: Sender): Promise<void> {
  const refused = await refusal(trx, ctx, run, sender);
  ctx.log.info({ runId: run.id, login: sender.login, refused }, 'approval requested on GitHub');
  await noteOnCheck(trx, run, refused);
}
