import { z } from 'zod';
import { changeGrant, leaveSuite, listGrants, revokeGrant, shareSuite } from '../access/grants.ts';
import { PRINCIPAL_TYPES } from '../access/role.ts';
import { EMAIL_MAX_LENGTH } from '../auth/user.ts';
import { cutNewest } from '../db/list-part.ts';
import { Id, inSuite, onSuite } from '../http/acts-on.ts';
import { acceptInvitation } from '../suites/invitations/accept-invitation.ts';
import { INVITATIONS_MAX, type Invitation } from '../suites/invitations/invitation.ts';
import { invite, readInvitations, withdrawInvitation } from '../suites/invitations/invite.ts';
import { handOverSuite } from '../suites/suite-life.ts';
import { actRoute, listRoute, route } from './api-route.ts';
import {
  IsoDate,
  named,
  namedObject,
  PublicId,
  recordFields,
  SuiteRole,
  TeamSummary,
  TestSuiteViewerAccess,
  TimePlace,
  UserSummary,
} from './suite-schemas.ts';

const TestSuiteGrant = namedObject('TestSuiteGrant', {
  ...recordFields,
  testSuiteId: PublicId,
  principal: named(
    'AccessPrincipal',
    z.object({ type: named('PrincipalType', z.enum(PRINCIPAL_TYPES)), id: PublicId }),
  ),
  role: SuiteRole,
  user: UserSummary.nullable(),
  team: TeamSummary.nullable(),
  grantedBy: UserSummary.nullable(),
});

const TestSuiteGrantResponse = namedObject('TestSuiteGrantResponse', { grant: TestSuiteGrant });

const ShareTestSuiteInput = named(
  'ShareTestSuiteInput',
  z
    .object({
      email: z.string().optional().describe('The email address of an existing account'),
      userId: Id.optional().describe('The ID of an existing account, instead of `email`'),
      teamId: z.string().optional().describe('Reserved for team sharing; returns 422'),
      role: SuiteRole.optional().describe('Default for a new grant: VIEWER'),
    })
    .describe('Exactly one of `email`, `userId` and `teamId`'),
);

export const HandOverInput = namedObject('HandOverInput', {
  email: z.string().max(EMAIL_MAX_LENGTH).describe('The email address of the account that becomes the owner'),
});

const OWNER_FIXED = 'The owner’s role cannot be changed';

export const getAccess = listRoute(
  {
    operationId: 'readAccess',
    summary: 'List who has access to a suite',
    ...onSuite('suite.read'),
    response: namedObject('TestSuiteAccessResponse', {
      owner: UserSummary.nullable().describe('Always ADMIN, without a grant'),
      grants: z.array(TestSuiteGrant).describe('Does not include the owner'),
      access: TestSuiteViewerAccess,
    }),
    list: { most: 1000, place: TimePlace },
  },
  async (ctx, { suite, part }) => ({ ...(await listGrants(ctx, suite, part)), access: suite.access }),
);

export const postAccess = route(
  {
    operationId: 'shareTestSuite',
    summary: 'Share a suite with an account, or change the role of one that has access',
    status: 201,
    ...onSuite('suite.share'),
    body: ShareTestSuiteInput,
    response: TestSuiteGrantResponse,
    failures: { 409: 'The account owns the suite', 422: 'The account does not exist, or the share is with a team' },
  },
  async (ctx, { suite, body }) => ({ grant: await shareSuite(ctx, suite, body) }),
);

export const patchGrant = route(
  {
    operationId: 'changeGrant',
    summary: 'Change the role of a grant',
    ...inSuite('suite.share', { grantId: Id }),
    body: namedObject('UpdateTestSuiteGrantInput', { role: SuiteRole }),
    response: TestSuiteGrantResponse,
    failures: { 409: OWNER_FIXED },
  },
  async (ctx, { suite, params, body }) => ({
    grant: await changeGrant(ctx, suite, { grantId: params.grantId, role: body.role }),
  }),
);

export const deleteGrant = actRoute(
  {
    operationId: 'revokeGrant',
    summary: 'Revoke a grant',
    ...inSuite('suite.share', { grantId: Id }),
    done: 'Grant revoked',
    failures: { 409: OWNER_FIXED },
  },
  async (ctx, { suite, params }) => revokeGrant(ctx, suite, { grantId: params.grantId }),
);

export const postLeave = actRoute(
  {
    operationId: 'leaveTestSuite',
    summary: 'Give up the caller’s own role on a suite',
    ...onSuite('suite.read'),
    done: 'You left the suite',
    failures: { 409: 'The owner has to hand the suite over first' },
  },
  async (ctx, { suite }) => leaveSuite(ctx, suite),
);

export const postHandOver = route(
  {
    operationId: 'handOverTestSuite',
    summary: 'Make another account the owner of a suite',
    description: 'Only its owner can, who keeps the role ADMIN.',
    ...onSuite('suite.read'),
    body: HandOverInput,
    response: namedObject('HandOverResponse', { owner: UserSummary }),
    failures: {
      403: 'The caller is not the owner',
      409: 'The account owns the suite',
      422: 'The new owner does not exist, or is disabled',
    },
  },
  async (ctx, { suite, viewer, body }) => ({ owner: await handOverSuite(ctx, viewer, suite, body.email) }),
);

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
      'The link is in this response only. Whoever opens it registers, even if registration is closed, or signs in, and then has the role. It works once, for 7 days. With `email`, only a new account with this address, or one that has verified it, can accept; if a mail server is set up, the address gets a link of its own. A new invitation of the same address replaces the previous one.',
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
      'Never lowers a role: people who already have the offered role, or a higher one, keep it, and the invitation stays open.',
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
