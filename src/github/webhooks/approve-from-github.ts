import { findUserOfAccount } from '../../auth/linked-accounts.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { readShownVariants, setCheckNotice } from '../../pull-requests/check/run-check.ts';
import { approveInTransaction } from '../../review/approval/approve-run.ts';
import { describeHeld, describeNotShown } from '../../review/approval/describe-decision.ts';
import { getRunFor } from '../../runs/read-run.ts';
import type { Run } from '../../runs/run.ts';
import type { HandlerContext } from './handler.ts';

type Sender = { id: number; login: string };

/**
 * Approves what the check shows, as the person whose account is linked. Returns null if everything was approved.
 * Otherwise returns why not, or what was left out, for the check.
 */
async function refusal(trx: Db, { config }: HandlerContext, run: Run, sender: Sender): Promise<string | null> {
  const who = `@${sender.login} could not approve these changes from GitHub`;
  const viewer = await findUserOfAccount({ db: trx }, 'github', String(sender.id));
  if (viewer === null) {
    return `${who} because no account at ${config.publicUrl} is linked to that GitHub account. Sign in there with GitHub first.`;
  }
  try {
    const approvable = await getRunFor({ db: trx }, { ...viewer, pressedAs: sender.login }, run.id, 'suite.approve');
    const shown = await readShownVariants(trx, run.id);
    const { notShown, held } = await approveInTransaction(trx, approvable, { shown });
    const left = [...(held > 0 ? [describeHeld(held)] : []), ...(notShown > 0 ? [describeNotShown(notShown)] : [])];
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
export async function approveFromGitHub(trx: Db, ctx: HandlerContext, run: Run, sender: Sender): Promise<void> {
  const refused = await refusal(trx, ctx, run, sender);
  ctx.log.info({ runId: run.id, login: sender.login, refused }, 'approval requested on GitHub');
  await setCheckNotice(trx, run, refused);
}
