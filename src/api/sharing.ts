import { changeGrant, leaveSuite, listGrants, revokeGrant, shareSuite } from '../access/grants.ts';
import { handOverSuite } from '../suites/hand-over.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { listRoute, route } from './api-route.ts';
import * as access from './schemas/access-schemas.ts';
import { HandOverInput, HandOverResponse } from './schemas/administration-schemas.ts';
import { MessageResponse, SuiteParams, TimePlace } from './schemas/common-schemas.ts';

const OWNER_FIXED = 'The owner’s role cannot be changed';

export const getAccess = listRoute(
  {
    operationId: 'readAccess',
    summary: 'List who has access to a suite',
    params: SuiteParams,
    response: access.TestSuiteAccessResponse,
    list: { most: 1000, place: TimePlace },
  },
  async (ctx, { viewer, params, part }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    const { owner, grants, next } = await listGrants(ctx, suite, part);
    return { body: { owner, grants, access: suite.access }, next };
  },
);

export const postAccess = route(
  {
    operationId: 'shareTestSuite',
    summary: 'Share a suite with an account, or change the role of one that has access',
    status: 201,
    params: SuiteParams,
    body: access.ShareTestSuiteInput,
    response: access.TestSuiteGrantResponse,
    failures: { 409: 'The account owns the suite', 422: 'The account does not exist, or the share is with a team' },
  },
  async (ctx, { viewer, params, body }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.share');
    return { grant: await shareSuite(ctx, suite, body) };
  },
);

export const patchGrant = route(
  {
    operationId: 'changeGrant',
    summary: 'Change the role of a grant',
    params: access.GrantParams,
    body: access.UpdateTestSuiteGrantInput,
    response: access.TestSuiteGrantResponse,
    failures: { 409: OWNER_FIXED },
  },
  async (ctx, { viewer, params, body }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.share');
    return { grant: await changeGrant(ctx, suite, { grantId: params.grantId, role: body.role }) };
  },
);

export const deleteGrant = route(
  {
    operationId: 'revokeGrant',
    summary: 'Revoke a grant',
    params: access.GrantParams,
    response: MessageResponse,
    failures: { 409: OWNER_FIXED },
  },
  async (ctx, { viewer, params }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.share');
    await revokeGrant(ctx, suite, { grantId: params.grantId });
    return { message: 'Grant revoked' };
  },
);

export const postLeave = route(
  {
    operationId: 'leaveTestSuite',
    summary: 'Give up the caller’s own role on a suite',
    params: SuiteParams,
    response: MessageResponse,
    failures: { 409: 'The owner has to hand the suite over first' },
  },
  async (ctx, { viewer, params }) => {
    await leaveSuite(ctx, await getSuiteFor(ctx, viewer, params.id, 'suite.read'));
    return { message: 'You left the suite' };
  },
);

export const postHandOver = route(
  {
    operationId: 'handOverTestSuite',
    summary: 'Make another account the owner of a suite',
    description: 'Only its owner can, who keeps the role ADMIN.',
    params: SuiteParams,
    body: HandOverInput,
    response: HandOverResponse,
    failures: {
      403: 'The caller is not the owner',
      409: 'The account owns the suite',
      422: 'The new owner does not exist, or is disabled',
    },
  },
  async (ctx, { viewer, params, body }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    return { owner: await handOverSuite(ctx, viewer, suite, body.email) };
  },
);
