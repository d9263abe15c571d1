import { sayDifferentServers } from '../runs/judging/say-different-servers.ts';
import { getRunFor } from '../runs/read-run.ts';
import { route } from './api-route.ts';
import { MessageResponse, RunParams } from './schemas/common-schemas.ts';

const tag = 'Test runs';
const failures = { 409: "The run captured the suite's own site" };

export const postDifferentServers = route(
  {
    operationId: 'sayDifferentServers',
    summary: 'Say that the preview and the site are different servers',
    description:
      'For results whose `servers` is MAYBE_ONE: what preview and site both show is drift from now on. This is kept for the suite: for all previews of pull requests, or for previews at the same origin. Open runs are re-evaluated within seconds.',
    tag,
    status: 200,
    params: RunParams,
    response: MessageResponse,
    failures,
  },
  async (ctx, { viewer, params }) => {
    await sayDifferentServers(ctx, await getRunFor(ctx, viewer, params.id, 'suite.approve'), { differ: true });
    return { message: 'The preview and the site are different servers' };
  },
);

export const deleteDifferentServers = route(
  {
    operationId: 'withdrawDifferentServers',
    summary: 'Take back that the preview and the site are different servers',
    description: 'Open runs are re-evaluated within seconds.',
    tag,
    status: 200,
    params: RunParams,
    response: MessageResponse,
    failures,
  },
  async (ctx, { viewer, params }) => {
    await sayDifferentServers(ctx, await getRunFor(ctx, viewer, params.id, 'suite.approve'), { differ: false });
    return { message: 'The preview and the site may be one server' };
  },
);
