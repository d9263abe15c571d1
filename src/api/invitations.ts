import { z } from 'zod';
import { cutNewest } from '../db/list-part.ts';
import { Id, inSuite, onSuite } from '../http/acts-on.ts';
import { acceptInvitation } from '../suites/invitations/accept-invitation.ts';
import { INVITATIONS_MAX, type Invitation } from '../suites/invitations/invitation.ts';
import { invite, readInvitations, withdrawInvitation } from '../suites/invitations/invite.ts';
import { actRoute, listRoute, route } from './api-route.ts';
import {
  IsoDate,
  namedObject,
  PublicId,
  recordFields,
  SuiteRole,
  TimePlace,
  UserSummary,
} from './schemas/common-schemas.ts';

const Invitation = namedObject('Invitation', {
  id: recordFields.id,
  testSuiteId: PublicId,
  role: SuiteRole,
  email: z.string().nullable().describe('Who can accept it. null: anyone who has the link'),
  invitedBy: UserSummary,
  expiresAt: IsoDate,
  createdAt: recordFields.createdAt,
});

export const getInvitations = listRoute(
  {
    operationId: 'listInvitations',
    summary: 'List the open invitations to a suite',
    ...onSuite('suite.share'),
    response: z.array(Invitation).describe('Newest first, at most 100'),
    list: { most: INVITATIONS_MAX, place: TimePlace },
    failures: { 403: 'The role on the suite is too low' },
  },
  async (ctx, { suite, part }) => cutNewest(await readInvitations(ctx, suite), part),
);

export const postInvitation = route(
  {
    operationId: 'createInvitation',
    summary: 'Invite somebody who has no account to a suite',
    description:
      'The link is in this response only. Whoever opens it registers, also where registration is closed, or signs in, and then has the role. It works once, for 7 days. With `email`, only an account with this address, verified, or a new one with it can accept; where a mail server is set up, the address gets a link of its own. A new invitation of the same address replaces the one before.',
    status: 201,
    ...onSuite('suite.share'),
    body: namedObject('CreateInvitationInput', {
      email: z
        .string()
        .nullish()
        .describe('Only this address can accept. Omit it for a link that anyone can use once.'),
      role: SuiteRole.optional().describe('Default: VIEWER'),
    }),
    response: namedObject('CreatedInvitation', {
      invitation: Invitation,
      url: z.url().describe('Works once. It is not stored and never shown again.'),
      isMailed: z.boolean().describe('Whether a link is sent to the address as well'),
    }),
    failures: { 409: 'The address has an account, or there are already 100 invitations' },
    rateLimit: 'invite',
  },
  async (ctx, { suite, body }) => invite(ctx, suite, body),
);

export const deleteInvitation = actRoute(
  {
    operationId: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    ...inSuite('suite.share', { invitationId: Id }),
    done: 'Invitation withdrawn',
  },
  async (ctx, { suite, params }) => withdrawInvitation(ctx, suite, params.invitationId),
);

export const postAcceptInvitation = route(
  {
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Never lowers a role: who has the offered one already, or a higher one, keeps theirs, and the invitation stays open.',
    body: namedObject('AcceptInvitationInput', {
      token: z.string().min(1).max(200).describe('The last part of the link'),
    }),
    response: namedObject('AcceptedInvitation', {
      testSuiteId: PublicId,
      role: SuiteRole.describe("The caller's role now"),
    }),
    failures: { 403: 'The invitation is for another address, or the address is not verified' },
    rateLimit: 'invitation',
  },
  async (ctx, { viewer, body }) => acceptInvitation(ctx, viewer, body.token),
);
