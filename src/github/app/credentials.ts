import { z } from 'zod';
import { openingSecrets, openValue, sealValue } from '../../auth/jwt-secret.ts';
import type { Context } from '../../context.ts';
import { KNOWN_WEBHOOK_SECRET } from '../../environment.ts';
import { reseal } from '../../secrets/seal.ts';
import { findApp, replaceAppSecrets, type StoredApp } from './app-store.ts';

/** The credentials of the GitHub App. */
export type Credentials = {
  appId: number;
  /** In PEM format. */
  privateKey: string;
  webhookSecret: string;
  /** Null: the App is not set up for sign-in. */
  oauth: OAuthClient | null;
};

/** The credentials for signing in with GitHub. */
export type OAuthClient = { clientId: string; clientSecret: string };

type CredentialsContext = Pick<Context, 'config' | 'db' | 'log'>;

const PURPOSE = 'github-app';

const Secrets = z.object({ privateKey: z.string(), webhookSecret: z.string(), clientSecret: z.string() });
export type AppSecrets = z.output<typeof Secrets>;

export function sealSecrets({ config }: Pick<Context, 'config'>, secrets: AppSecrets): string {
  return sealValue(config, PURPOSE, secrets);
}

/** Null: the secrets were sealed with another JWT secret. */
export function openSecrets({ config }: Pick<Context, 'config'>, app: StoredApp): AppSecrets | null {
  return openValue(config, PURPOSE, Secrets, app.encryptedSecrets);
}

/** Encrypts the App's secrets with the newest secret. Returns how many Apps changed. */
export async function resealApp({ config, db }: Pick<Context, 'config' | 'db'>): Promise<number> {
  const app = await findApp(db);
  const again = app === null ? null : reseal(openingSecrets(config), PURPOSE, app.encryptedSecrets);
  return app !== null && again !== null && (await replaceAppSecrets(db, app.encryptedSecrets, again)) ? 1 : 0;
}

/** The OAuth client from the environment. It works without an App too. */
function environmentOAuth({ github }: Context['config']): OAuthClient | null {
  const { clientId, clientSecret } = github;
  return clientId === null || clientSecret === null ? null : { clientId, clientSecret };
}

function environmentCredentials(config: Context['config']): Credentials | null {
  const { appId, privateKey, webhookSecret } = config.github;
  if (appId === null || privateKey === null) return null;
  return {
    appId: Number(appId),
    privateKey,
    webhookSecret: webhookSecret ?? KNOWN_WEBHOOK_SECRET,
    oauth: environmentOAuth(config),
  };
}

/**
 * The App's credentials: all of them from the environment, or else all of them from the App that was created from the
 * manifest. They are read on every call, so every host uses a new App at once. Null: GitHub is not connected.
 */
export async function readCredentials(ctx: CredentialsContext): Promise<Credentials | null> {
  const ours = environmentCredentials(ctx.config);
  if (ours !== null) return ours;
  const app = await findApp(ctx.db);
  if (app === null) return null;
  const secrets = openSecrets(ctx, app);
  if (secrets === null) {
    ctx.log.error({ appId: app.appId }, 'the GitHub App was stored with a different JWT_SECRET: connect GitHub again');
    return null;
  }
  const { privateKey, webhookSecret, clientSecret } = secrets;
  return { appId: app.appId, privateKey, webhookSecret, oauth: { clientId: app.clientId, clientSecret } };
}

/** Whether there is an App, even one whose credentials cannot be decrypted. */
export async function hasApp({ config, db }: Pick<Context, 'config' | 'db'>): Promise<boolean> {
  return environmentCredentials(config) !== null || (await findApp(db)) !== null;
}

/** Null: sign-in with GitHub is not configured. */
export async function readOAuthClient(ctx: CredentialsContext): Promise<OAuthClient | null> {
  return environmentOAuth(ctx.config) ?? (await readCredentials(ctx))?.oauth ?? null;
}
