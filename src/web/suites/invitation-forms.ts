import { z } from 'zod';
import { SUITE_ROLES } from '../../access/role.ts';
import { displaySummary } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { Id, onSuite } from '../../http/acts-on.ts';
import { invite, readInvitations, withdrawInvitation, type InviteInput } from '../../suites/invitations/invite.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { asking } from '../form-field.ts';
import { ROLE_NAMES } from '../permissions.ts';
import { redirect, type Reply } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { LISTS } from './suite-head.ts';

/** The open invitations, for people who may share. */
export async function listInvitations(ctx: Context, suite: SuiteFor<'suite.share'>) {
  const open = await readInvitations(ctx, suite);
  return open.map(({ id, email, role, invitedBy, expiresAt }) => ({
    who: email ?? 'Anyone with the link',
    role: ROLE_NAMES[role],
    by: displaySummary(invitedBy),
    expiresAt,
    withdraw: asking(
      'Withdraw',
      `Withdraw the invitation${email === null ? '' : ` of ${email}`}? Its link stops working.`,
      `/suites/${suite.id}/invitations/${id}/withdraw`,
      { small: true, button: 'Withdraw invitation' },
    ),
  }));
}

/** Creates an invitation and shows its link, once. A redirect would have to carry the link. */
export async function showNewInvitation(
  ctx: Context,
  suite: SuiteFor<'suite.share'>,
  input: InviteInput,
): Promise<Reply> {
  const { invitation, url, isMailed } = await invite(ctx, suite, input);
  const { email, role, expiresAt } = invitation;
  return {
    kind: 'page',
    view: 'suites/invitation-created',
    title: 'New invitation',
    width: 'narrow',
    model: { url, email, isMailed, role: ROLE_NAMES[role], expiresAt, back: `/suites/${suite.id}/sharing` },
    section: LISTS[suite.kind].section,
  };
}

export const postInvitationLink = formRoute(
  { path: '/suites/:id/invitations', ...onSuite('suite.share'), form: z.object({ role: z.enum(SUITE_ROLES) }) },
  async (ctx, { suite, form }) => showNewInvitation(ctx, suite, form),
);

export const postWithdrawInvitation = formRoute(
  {
    path: '/suites/:id/invitations/:invitationId/withdraw',
    ...onSuite('suite.share'),
    params: z.object({ id: Id, invitationId: Id }),
  },
  async (ctx, { suite, params }) => {
    await withdrawInvitation(ctx, suite, params.invitationId);
    return redirect(`/suites/${suite.id}/sharing`, 'Invitation withdrawn');
  },
);
