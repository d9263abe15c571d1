import { z } from 'zod';
import { ACCESS_SOURCES, PRINCIPAL_TYPES, SUITE_ROLES } from '../../access/role.ts';
import { Id, PublicId, recordFields } from './common-schemas.ts';
import { named } from './components.ts';
import { UserSummary } from './user-schemas.ts';

const SuiteRole = named('SuiteRole', z.enum(SUITE_ROLES));

const TeamSummary = named('TeamSummary', z.object({ id: z.string(), name: z.string() }));

export const TestSuiteViewerAccess = named(
  'TestSuiteViewerAccess',
  z.object({
    role: SuiteRole,
    isOwner: z.boolean(),
    via: named('AccessSource', z.enum(ACCESS_SOURCES)),
    team: TeamSummary.nullable(),
  }),
);

export const TestSuiteGrant = named(
  'TestSuiteGrant',
  z.object({
    id: recordFields.id,
    testSuiteId: PublicId,
    principal: named(
      'AccessPrincipal',
      z.object({ type: named('PrincipalType', z.enum(PRINCIPAL_TYPES)), id: PublicId }),
    ),
    role: SuiteRole,
    user: UserSummary.nullable(),
    team: TeamSummary.nullable(),
    grantedBy: UserSummary.nullable(),
    createdAt: recordFields.createdAt,
    updatedAt: recordFields.updatedAt,
  }),
);

export const TestSuiteAccessResponse = named(
  'TestSuiteAccessResponse',
  z.object({
    owner: UserSummary.nullable().describe('Always ADMIN, without a grant'),
    grants: z.array(TestSuiteGrant).describe('Does not include the owner'),
    access: TestSuiteViewerAccess,
  }),
);

export const TestSuiteGrantResponse = named('TestSuiteGrantResponse', z.object({ grant: TestSuiteGrant }));

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

export const UpdateTestSuiteGrantInput = named('UpdateTestSuiteGrantInput', z.object({ role: SuiteRole }));
export const GrantParams = z.object({ id: Id.describe('The suite'), grantId: Id });
