import { onRun } from '../../http/acts-on.ts';
import { sayDifferentServers } from '../../runs/judging/say-different-servers.ts';
import { route, type Description } from '../api-route.ts';
import { MessageResponse } from '../schemas/common-schemas.ts';

/** @param said the message of the response */
function serversRoute(
  described: Pick<Description, 'operationId' | 'summary' | 'description'>,
  { differ, said }: { differ: boolean; said: string },
) {
  return route(
    {
      ...described,
      ...onRun('suite.approve'),
      response: MessageResponse,
      failures: { 409: 'The run captured the suite’s own site' },
    },
    async (ctx, { run }) => {
      await sayDifferentServers(ctx, run, { differ });
      return { message: said };
    },
  );
}

export const postDifferentServers = serversRoute(
  {
    operationId: 'sayDifferentServers',
    summary: 'Say that the preview and the site are different servers',
    description:
      'For results whose `servers` is MAYBE_ONE: what preview and site both show is drift from now on. This is kept for the suite: for all previews of pull requests, or for previews at the same origin. Open runs are re-evaluated within seconds.',
  },
  { differ: true, said: 'The preview and the site are different servers' },
);

export const deleteDifferentServers = serversRoute(
  {
    operationId: 'withdrawDifferentServers',
    summary: 'Take back that the preview and the site are different servers',
    description: 'Open runs are re-evaluated within seconds.',
  },
  { differ: false, said: 'The preview and the site may be one server' },
);
