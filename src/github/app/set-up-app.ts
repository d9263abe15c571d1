import { z } from 'zod';
import { openValue, sealValue } from '../../auth/jwt-secret.ts';
import { isAdministrator } from '../../auth/manage-accounts.ts';
import { toActor, type Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { conflict, forbidden, invalid, unavailable, unprocessable } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { webAddress } from './addresses.ts';
import { buildManifest, readAppFile } from './app-manifest.ts';
import { findApp, insertApp, removeApp, type StoredApp } from './app-store.ts';
import { openSecrets, sealSecrets } from './credentials.ts';
import { isGone, userClient } from './github-client.ts';

/** The App that GitHub created, with the secrets that GitHub returns only this once. */
const CreatedApp = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  html_url: z.url(),
  client_id: z.string(),
  client_secret: z.string(),
  webhook_secret: z.string(),
  pem: z.string(),
});
type CreatedApp = z.output<typeof CreatedApp>;

/**
 * Exchanges the code of GitHub's manifest flow. The code is valid for an hour and for one exchange.
 * @throws AppError unprocessable (GitHub does not know the code), unavailable (GitHub can't be reached).
 */
async function convertManifest(ctx: Pick<Context, 'config' | 'log'>, code: string): Promise<CreatedApp> {
  const github = await userClient(ctx, null);
  try {
    const { data } = await github.request('POST /app-manifests/{code}/conversions', { code });
    return CreatedApp.parse(data);
  } catch (error) {
    if (isGone(error)) {
      throw unprocessable('GitHub does not recognize this code, or it was already used. Start again.', 'code_refused');
    }
    ctx.log.error({ err: error }, 'could not get the new GitHub App from GitHub');
    throw unavailable('GitHub did not return the app', 'github_unavailable');
  }
}

type SetUpContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

/** How GitHub is connected. `lost`: an App is stored, but was sealed with another JWT secret. */
export type Connection =
  | { kind: 'environment'; appId: string }
  | { kind: 'stored'; name: string; htmlUrl: string; installUrl: string }
  | { kind: 'lost'; name: string }
  | { kind: 'none' };

/** What the browser posts to GitHub to create the App. */
export type ManifestForm = { action: string; manifest: string };

/** One hour, which is how long GitHub's code is valid. */
const STATE_TTL_MS = 3_600_000;
const STATE_PURPOSE = 'github-app-setup';
const State = z.object({ userId: z.string(), expiresAt: z.number() });

/** The form of a GitHub login. Other text could change the URL. */
const ORGANIZATION = /^[a-z\d](?:[a-z\d-]{0,38})$/i;

async function assertMaySetUp(ctx: SetUpContext, viewer: Viewer): Promise<void> {
  if (!(await isAdministrator(ctx, viewer))) throw forbidden('Only an administrator can connect Pixelgate to GitHub');
}

function describeConnection(ctx: SetUpContext, app: StoredApp | null): Connection {
  const { appId } = ctx.config.github;
  if (appId !== null) return { kind: 'environment', appId };
  if (app === null) return { kind: 'none' };
  const { name, htmlUrl } = app;
  if (openSecrets(ctx, app) === null) return { kind: 'lost', name };
  return { kind: 'stored', name, htmlUrl, installUrl: `${htmlUrl}/installations/new` };
}

/** @throws AppError forbidden, for everyone but administrators. */
export async function readConnection(ctx: SetUpContext, viewer: Viewer): Promise<Connection> {
  await assertMaySetUp(ctx, viewer);
  return describeConnection(ctx, await findApp(ctx.db));
}

/**
 * @param organization the owner of the new App. Null: the person's own account
 * @throws AppError forbidden, invalid (not a valid GitHub login).
 */
export async function beginSetUp(
  ctx: SetUpContext,
  viewer: Viewer,
  organization: string | null,
): Promise<ManifestForm> {
  await assertMaySetUp(ctx, viewer);
  if (organization !== null && !ORGANIZATION.test(organization)) {
    const message = 'is not the name of an organization on GitHub';
    throw invalid(`organization ${message}`, [{ path: 'organization', message }]);
  }
  const owner = organization === null ? '' : `/organizations/${organization}`;
  const action = new URL(`${webAddress(ctx.config)}${owner}/settings/apps/new`);
  const state = { userId: viewer.id, expiresAt: ctx.clock.now().getTime() + STATE_TTL_MS };
  action.searchParams.set('state', sealValue(ctx.config, STATE_PURPOSE, state));
  return { action: action.href, manifest: JSON.stringify(buildManifest(await readAppFile(), ctx.config)) };
}

/** The state proves that this user began the setup within the last hour. So no other site can plant its own App. */
function assertOwnState({ config, clock }: SetUpContext, viewer: Viewer, state: string): void {
  const parsed = openValue(config, STATE_PURPOSE, State, state);
  if (parsed?.userId !== viewer.id || parsed.expiresAt <= clock.now().getTime()) {
    throw invalid('This response from GitHub does not match a request you made within the last hour. Start again.');
  }
}

const alreadyConnected = () => conflict('GitHub is already connected', 'already_connected');

/**
 * Stores the App that GitHub created. Every host uses its credentials at once.
 * @throws AppError forbidden, invalid (this user did not begin it), conflict (already connected), unprocessable
 * (GitHub does not know the code), unavailable.
 */
export async function finishSetUp(
  ctx: SetUpContext,
  viewer: Viewer,
  answer: { code: string; state: string },
): Promise<void> {
  await assertMaySetUp(ctx, viewer);
  assertOwnState(ctx, viewer, answer.state);
  const stored = await findApp(ctx.db);
  const { kind } = describeConnection(ctx, stored);
  if (kind === 'environment' || kind === 'stored') throw alreadyConnected();
  const app = await convertManifest(ctx, answer.code);
  const secrets = { privateKey: app.pem, webhookSecret: app.webhook_secret, clientSecret: app.client_secret };
  const row = {
    appId: app.id,
    slug: app.slug,
    name: app.name,
    htmlUrl: app.html_url,
    clientId: app.client_id,
    encryptedSecrets: sealSecrets(ctx, secrets),
  };
  await inTransaction(ctx.db, async (trx) => {
    if (stored !== null) await removeApp(trx, stored.encryptedSecrets);
    if (!(await insertApp(trx, row, viewer.id))) throw alreadyConnected();
    await recordEvent(trx, toActor(viewer), { kind: 'github.connected', details: { app: app.name } });
  });
  ctx.log.info({ appId: app.id, name: app.name }, 'GitHub is connected');
}
