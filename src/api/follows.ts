import { followSuite } from '../suites/follow-suite.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { route } from './api-route.ts';
import { SuiteParams } from './schemas/common-schemas.ts';
import { SuiteFollow } from './schemas/suite-schemas.ts';

const tag = 'Test suites';

export const getFollow = route(
  {
    operationId: 'readFollow',
    summary: 'Read whether the caller follows a suite',
    tag,
    status: 200,
    params: SuiteParams,
    response: SuiteFollow,
  },
  async (ctx, { viewer, params }) => {
    const { isFollowed } = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    return { following: isFollowed };
  },
);

export const putFollow = route(
  {
    operationId: 'followSuite',
    summary: 'Follow a suite: its newest run is on the caller’s dashboard',
    description: 'The owner follows a suite from the start, as does everyone with whom it is shared.',
    tag,
    status: 200,
    params: SuiteParams,
    response: SuiteFollow,
  },
  async (ctx, { viewer, params }) => {
    await followSuite(ctx, await getSuiteFor(ctx, viewer, params.id, 'suite.read'), true);
    return { following: true };
  },
);

export const deleteFollow = route(
  {
    operationId: 'unfollowSuite',
    summary: 'Stop following a suite',
    tag,
    status: 200,
    params: SuiteParams,
    response: SuiteFollow,
  },
  async (ctx, { viewer, params }) => {
    await followSuite(ctx, await getSuiteFor(ctx, viewer, params.id, 'suite.read'), false);
    return { following: false };
  },
);
