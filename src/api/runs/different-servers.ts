import { onRun } from '../../http/acts-on.ts';
import { sayDifferentServers } from '../../runs/judging/say-different-servers.ts';
import { actRoute, type Description } from '../api-route.ts';

const serversRoute = (
  differ: boolean,
  described: Pick<Description, 'operationId' | 'summary' | 'description'> & { done: string },
) =>
  actRoute(
    { ...described, ...onRun('suite.approve'), failures: { 409: 'The run captured the suite’s own site' } },
    async (ctx, { run }) => sayDifferentServers(ctx, run, { differ }),
  );

export const postDifferentServers = serversRoute(true, {
  operationId: 'sayDifferentServers',
  summary: 'Say that the preview and the site are different servers',
  description:
    'For results whose `servers` is MAYBE_ONE: what preview and site both show is drift from now on. This is kept for the suite: for all previews of pull requests, or for previews at the same origin. Open runs are re-evaluated within seconds.',
  done: 'The preview and the site are different servers',
});

export const deleteDifferentServers = serversRoute(false, {
  operationId: 'withdrawDifferentServers',
  summary: 'Take back that the preview and the site are different servers',
  description: 'Open runs are re-evaluated within seconds.',
  done: 'The preview and the site may be one server',
});
