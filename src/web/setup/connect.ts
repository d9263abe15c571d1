import { z } from 'zod';
import { invalid } from '../../errors.ts';
import { webAddress } from '../../github/addresses.ts';
import type { Connection } from '../../github/set-up-app.ts';
import { beginSetUp, finishSetUp, readConnection } from '../../github/set-up-app.ts';
import type { Answer } from '../answer.ts';
import { leadTo } from '../answer.ts';
import { fieldOf } from '../form-field.ts';
import { page } from '../row.ts';

/** GitHub posts to us: an address that only this machine knows gets no webhooks. */
const LOOPBACK = /^(localhost|127\.|\[::1\])/;

const Choice = z.object({ organization: z.string().trim().optional().catch(undefined) });

function showConnected(connection: Connection & { kind: 'environment' | 'stored' }): Answer {
  const model = { environment: connection.kind === 'environment', connection };
  return { kind: 'page', view: 'setup/connected', title: 'GitHub is connected', model, section: 'setup' };
}

/** Connects the service to GitHub, by GitHub's manifest flow. */
export const getSetup = page({ path: '/setup', query: Choice }, async (ctx, { viewer, query }) => {
  const connection = await readConnection(ctx, viewer);
  if (connection.kind === 'environment' || connection.kind === 'stored') return showConnected(connection);
  const organization = query.organization || null;
  const form = await beginSetUp(ctx, viewer, organization);
  const { publicUrl } = ctx.config;
  const model = {
    form,
    lost: connection.kind === 'lost' ? connection.name : null,
    loopback: LOOPBACK.test(new URL(publicUrl).hostname) ? publicUrl : null,
    owner: organization ?? 'your own account',
    organization: fieldOf(
      {
        name: 'organization',
        label: 'Organisation',
        value: organization,
        note: 'Empty: the App belongs to your own account.',
        attributes: { maxlength: 39, autocomplete: 'off' },
      },
      null,
    ),
  };
  const formOrigin = new URL(webAddress(ctx.config)).origin;
  return { kind: 'page', view: 'setup/connect', title: 'Connect GitHub', model, section: 'setup', formOrigin };
});

const Returned = z
  .object({ code: z.string().min(1).max(200), state: z.string().min(1).max(2000) })
  .nullable()
  .catch(null);

/** Where GitHub leads back to. */
export const getSetupCallback = page({ path: '/setup/callback', query: Returned }, async (ctx, { viewer, query }) => {
  if (query === null) throw invalid('GitHub sends code and state here; one of them is missing');
  await finishSetUp(ctx, viewer, query);
  return leadTo('/setup', 'GitHub is connected');
});
