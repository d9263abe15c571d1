import type { Authorized } from '../../access/authorized.ts';
import type { SuiteRole } from '../../access/role.ts';
import { findAccountByEmail } from '../../auth/find-account.ts';
import { hashOneTimeToken, newOneTimeToken } from '../../auth/one-time-token.ts';
import { EMAIL_RULE, isEmailAllowed, normalizeEmail, personName, toActor } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { capitalize } from '../../text/format.ts';
import {
  addMailedToken,
  deleteInvitation,
  deleteLapsedInvitations,
  findOpenInvitationById,
  listOpenInvitations,
  saveInvitation,
} from './invitation-store.ts';
import {
  INVITATION_DAYS,
  invitationPath,
  INVITATIONS_MAX,
  type Invitation,
  type OpenedInvitation,
} from './invitation.ts';

const DAY_MS = 86_400_000;

type SharedSuite = { id: string } & Authorized<'suite.share'>;

export type InviteInput = { email?: string | null | undefined; role?: SuiteRole | undefined };

/** `url` is the link. It is shown here and never again. `isMailed`: another link goes to the address. */
export type NewInvitation = { invitation: Invitation; url: string; isMailed: boolean };

/**
 * Invites somebody who has no account yet: whoever has the link, or the owner of an address. A new invitation for the
 * same address replaces the previous one.
 * @throws AppError `validation_failed` (400); `account_exists`, `too_many_invitations` (409).
 */
export async function invite(
  { config, db, clock, log, mailer }: Pick<Context, 'config' | 'db' | 'clock' | 'log' | 'mailer'>,
  suite: SharedSuite,
  { email: typed = null, role = 'VIEWER' }: InviteInput,
): Promise<NewInvitation> {
  const email = typed === null ? null : normalizeEmail(typed);
  if (email !== null) await requireStranger({ db }, email);
  const token = newOneTimeToken();
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + INVITATION_DAYS * DAY_MS);
  const isMailed = email !== null && mailer.configured;
  const invitation = await inTransaction(db, async (trx) => {
    await deleteLapsedInvitations(trx, suite.id, createdAt);
    const id = await saveInvitation(trx, {
      testSuiteId: suite.id,
      role,
      email,
      invitedBy: suite.viewer.id,
      tokenHash: hashOneTimeToken(token),
      createdAt,
      expiresAt,
    });
    const open = await listOpenInvitations(trx, suite.id, createdAt);
    if (open.length > INVITATIONS_MAX) {
      const message = `A suite can have at most ${INVITATIONS_MAX} open invitations. Withdraw one first.`;
      throw conflict(message, 'too_many_invitations');
    }
    const details = { email, role };
    await recordEvent(trx, toActor(suite.viewer), { kind: 'invitation.created', suiteId: suite.id, details });
    if (isMailed) await enqueue(trx, 'send-invitation', { invitationId: id });
    return open.find((each) => each.id === id);
  });
  // The viewer's role was lowered between the check and here.
  if (invitation === undefined) throw notFound('Suite');
  log.info({ invitationId: invitation.id, userId: suite.viewer.id, suiteId: suite.id, role }, 'invited to a suite');
  return { invitation, url: `${config.publicUrl}${invitationPath(token)}`, isMailed };
}

async function requireStranger(ctx: Pick<Context, 'db'>, email: string): Promise<void> {
  if (!isEmailAllowed(email)) throw invalid('The invitation is not valid', [{ path: 'email', message: EMAIL_RULE }]);
  if ((await findAccountByEmail(ctx, email)) === null) return;
  throw conflict('An account with this email address exists. Share the suite with it.', 'account_exists');
}

/** Newest first. */
export async function readInvitations(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  suite: SharedSuite,
): Promise<Invitation[]> {
  return listOpenInvitations(db, suite.id, clock.now());
}

/** Its links stop working. @throws AppError not_found */
export async function withdrawInvitation(
  { db, log }: Pick<Context, 'db' | 'log'>,
  suite: SharedSuite,
  invitationId: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const withdrawn = await deleteInvitation(trx, suite.id, invitationId);
    if (withdrawn === null) throw notFound('Invitation');
    const details = { email: withdrawn.email };
    await recordEvent(trx, toActor(suite.viewer), { kind: 'invitation.withdrawn', suiteId: suite.id, details });
  });
  log.info({ invitationId, userId: suite.viewer.id, suiteId: suite.id }, 'withdrew an invitation');
}

function formatMail({ suiteName, role, invitedBy }: OpenedInvitation, link: string): string {
  return [
    `${personName(invitedBy)} invites you to the suite “${suiteName}” on Pixelgate, as ${capitalize(role.toLowerCase())}.`,
    `To accept, open this link. It works once and expires ${INVITATION_DAYS} days after the invitation:\n${link}`,
    'If you did not expect this, you can ignore this email.\n',
  ].join('\n\n');
}

/**
 * Job: mails an invitation to its address, with a link of its own. If the job is delivered again, it creates another link, so the
 * one of a mail that was already sent still works.
 */
export async function sendInvitation(
  { config, db, clock, mailer }: Pick<Context, 'config' | 'db' | 'clock' | 'mailer'>,
  { invitationId }: { invitationId: string },
): Promise<void> {
  const invitation = await findOpenInvitationById(db, invitationId, clock.now());
  if (invitation === null || invitation.email === null) return;
  const token = newOneTimeToken();
  await addMailedToken(db, invitation.id, hashOneTimeToken(token));
  const link = `${config.publicUrl}${invitationPath(token)}`;
  const subject = `Invitation to ${invitation.suiteName} on Pixelgate`;
  await mailer.send({ to: invitation.email, subject, text: formatMail(invitation, link) });
}
