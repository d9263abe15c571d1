import { z } from 'zod';
import { ACCESS_SOURCES, PRINCIPAL_TYPES, SUITE_ROLES } from '../../access/role.ts';
import { Id } from '../../http/acts-on.ts';
import { INVITATIONS_MAX } from '../../suites/invitations/invitation.ts';
import { IsoDate, named, namedObject, PublicId, recordFields, TimePlace } from './common-schemas.ts';
import { UserSummary } from './user-schemas.ts';

const SuiteRole = named('SuiteRole', z.enum(SUITE_ROLES));

const TeamSummary = namedObject('TeamSummary', { id: z.string(), name: z.string() });

export const TestSuiteViewerAccess = namedObject('TestSuiteViewerAccess', {
  role: SuiteRole,
  isOwner: z.boolean(),
  via: named('AccessSource', z.enum(ACCESS_SOURCES)),
  team: TeamSummary.nullable(),
});

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

export const TestSuiteAccessResponse = namedObject('TestSuiteAccessResponse', {
  owner: UserSummary.nullable().describe('Always ADMIN, without a grant'),
  grants: z.array(TestSuiteGrant).describe('Does not include the owner'),
  access: TestSuiteViewerAccess,
});

export const TestSuiteGrantResponse = namedObject('TestSuiteGrantResponse', { grant: TestSuiteGrant });

export const ShareTestSuiteInput = named(
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

export const UpdateTestSuiteGrantInput = namedObject('UpdateTestSuiteGrantInput', { role: SuiteRole });
export const GrantParams = z.object({ id: Id.describe('The suite'), grantId: Id });

const Invitation = namedObject('Invitation', {
  id: recordFields.id,
  testSuiteId: PublicId,
  role: SuiteRole,
  email: z.string().nullable().describe('Who can accept it. null: anyone who has the link'),
  invitedBy: UserSummary,
  expiresAt: IsoDate,
  createdAt: recordFields.createdAt,
});

export const INVITATIONS_AT_ONCE = { most: INVITATIONS_MAX, place: TimePlace };

export const InvitationList = z.array(Invitation).describe('Newest first, at most 100');

export const CreateInvitationInput = namedObject('CreateInvitationInput', {
  email: z.string().nullish().describe('Only this address can accept. Omit it for a link that anyone can use once.'),
  role: SuiteRole.optional().describe('Default: VIEWER'),
});

export const CreatedInvitation = namedObject('CreatedInvitation', {
  invitation: Invitation,
  url: z.url().describe('Works once. It is not stored and never shown again.'),
  isMailed: z.boolean().describe('Whether a link is sent to the address as well'),
});

export const InvitationParams = z.object({ id: Id.describe('The suite'), invitationId: Id });

export const AcceptInvitationInput = namedObject('AcceptInvitationInput', {
  token: z.string().min(1).max(200).describe('The last part of the link'),
});

export const AcceptedInvitation = namedObject('AcceptedInvitation', {
  testSuiteId: PublicId,
  role: SuiteRole.describe("The caller's role now"),
});
