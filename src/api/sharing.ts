import { changeGrant, leaveSuite, listGrants, revokeGrant, shareSuite } from '../access/grants.ts';
import { onSuite } from '../http/acts-on.ts';
import { handOverSuite } from '../suites/hand-over.ts';
import { listRoute, route } from './api-route.ts';
import * as access from './schemas/access-schemas.ts';
import { HandOverInput, HandOverResponse } from './schemas/administration-schemas.ts';
import { MessageResponse, TimePlace } from './schemas/common-schemas.ts';

const OWNER_FIXED = 'The owner’s role cannot be changed';

export const getAccess = listRoute(
  {
    operationId: 'readAccess',
    summary: 'List who has access to a suite',
    ...onSuite('suite.read'),
    response: access.TestSuiteAccessResponse,
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
    body: access.ShareTestSuiteInput,
    response: access.TestSuiteGrantResponse,
    failures: { 409: 'The account owns the suite', 422: 'The account does not exist, or the share is with a team' },
  },
  async (ctx, { suite, body }) => ({ grant: await shareSuite(ctx, suite, body) }),
);

export const patchGrant = route(
  {
    operationId: 'changeGrant',
    summary: 'Change the role of a grant',
    ...onSuite('suite.share'),
    params: access.GrantParams,
    body: access.UpdateTestSuiteGrantInput,
    response: access.TestSuiteGrantResponse,
    failures: { 409: OWNER_FIXED },
  },
  async (ctx, { suite, params, body }) => ({
    grant: await changeGrant(ctx, suite, { grantId: params.grantId, role: body.role }),
  }),
);

export const deleteGrant = route(
  {
    operationId: 'revokeGrant',
    summary: 'Revoke a grant',
    ...onSuite('suite.share'),
    params: access.GrantParams,
    response: MessageResponse,
    failures: { 409: OWNER_FIXED },
  },
  async (ctx, { suite, params }) => {
    await revokeGrant(ctx, suite, { grantId: params.grantId });
    return { message: 'Grant revoked' };
  },
);

export const postLeave = route(
  {
    operationId: 'leaveTestSuite',
    summary: 'Give up the caller’s own role on a suite',
    ...onSuite('suite.read'),
    response: MessageResponse,
    failures: { 409: 'The owner has to hand the suite over first' },
  },
  async (ctx, { suite }) => {
    await leaveSuite(ctx, suite);
    return { message: 'You left the suite' };
  },
);

export const postHandOver = route(
  {
    operationId: 'handOverTestSuite',
    summary: 'Make another account the owner of a suite',
    description: 'Only its owner can, who keeps the role ADMIN.',
    ...onSuite('suite.read'),
    body: HandOverInput,
    response: HandOverResponse,
    failures: {
      403: 'The caller is not the owner',
      409: 'The account owns the suite',
      422: 'The new owner does not exist, or is disabled',
    },
  },
  async (ctx, { suite, viewer, body }) => ({ owner: await handOverSuite(ctx, viewer, suite, body.email) }),
);
