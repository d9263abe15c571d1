import { cutWhole } from '../db/list-part.ts';
import { onSuite } from '../http/acts-on.ts';
import { acceptInvitation } from '../suites/invitations/accept-invitation.ts';
import type { Invitation } from '../suites/invitations/invitation.ts';
import { invite, readInvitations, withdrawInvitation } from '../suites/invitations/invite.ts';
import { listRoute, route } from './api-route.ts';
import * as access from './schemas/access-schemas.ts';
import { MessageResponse } from './schemas/common-schemas.ts';

export const getInvitations = listRoute(
  {
    operationId: 'listInvitations',
    summary: 'List the open invitations to a suite',
    ...onSuite('suite.share'),
    response: access.InvitationList,
    list: access.INVITATIONS_AT_ONCE,
    failures: { 403: 'The role on the suite is too low' },
  },
  async (ctx, { suite, part }) => {
    const all = await readInvitations(ctx, suite);
    const madeAt = ({ createdAt }: Invitation) => createdAt.toISOString();
    return cutWhole(all, part, madeAt, (invitation, than) => madeAt(invitation) < than);
  },
);

export const postInvitation = route(
  {
    operationId: 'createInvitation',
    summary: 'Invite somebody who has no account to a suite',
    description:
      'The link is in this response only. Whoever opens it registers, also where registration is closed, or signs in, and then has the role. It works once, for 7 days. With `email`, only an account with this address, verified, or a new one with it can accept; where a mail server is set up, the address gets a link of its own. A new invitation of the same address replaces the one before.',
    status: 201,
    ...onSuite('suite.share'),
    body: access.CreateInvitationInput,
    response: access.CreatedInvitation,
    failures: { 409: 'The address has an account, or there are already 100 invitations' },
    rateLimit: 'invite',
  },
  async (ctx, { suite, body }) => invite(ctx, suite, body),
);

export const deleteInvitation = route(
  {
    operationId: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    ...onSuite('suite.share'),
    params: access.InvitationParams,
    response: MessageResponse,
  },
  async (ctx, { suite, params }) => {
    await withdrawInvitation(ctx, suite, params.invitationId);
    return { message: 'Invitation withdrawn' };
  },
);

export const postAcceptInvitation = route(
  {
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Never lowers a role: who has the offered one already, or a higher one, keeps theirs, and the invitation stays open.',
    body: access.AcceptInvitationInput,
    response: access.AcceptedInvitation,
    failures: { 403: 'The invitation is for another address, or the address is not verified' },
    rateLimit: 'invitation',
  },
  async (ctx, { viewer, body }) => acceptInvitation(ctx, viewer, body.token),
);
