import { z } from 'zod';
import { sayDifferentServers } from '../../runs/judging/say-different-servers.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { backTo } from './back.ts';
import { RunParams } from './run-page.ts';

/** Keeps that preview and site are different servers, or that they may be one. */
export const postServers = formRoute(
  {
    path: '/runs/:id/servers',
    params: RunParams,
    form: z.object({ differ: z.enum(['true', 'false']), back: z.string().optional() }),
  },
  async (ctx, { viewer, params, form: { differ, back } }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    await sayDifferentServers(ctx, run, { differ: differ === 'true' });
    return redirect(backTo(back, params.id), 'Saved. Open runs are evaluated again');
  },
);
