import { hashOneTimeToken, newOneTimeToken } from '../../auth/one-time-token.ts';
import { displaySummary } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { capitalize } from '../../text/format.ts';
import { addMailedToken, findOpenInvitationById } from './invitation-store.ts';
import { INVITATION_DAYS, invitationPath, type OpenedInvitation } from './invitation.ts';

function formatMail({ suiteName, role, invitedBy }: OpenedInvitation, link: string): string {
  return [
    `${displaySummary(invitedBy)} invites you to the suite “${suiteName}” on Pixelgate, as ${capitalize(role.toLowerCase())}.`,
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
