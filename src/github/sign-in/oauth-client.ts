import { z } from 'zod';
import type { AccountTokens } from '../../auth/account.ts';
import type { Context } from '../../context.ts';
import { unavailable } from '../../errors.ts';
import { webAddress } from '../app/addresses.ts';
import type { OAuthClient } from '../app/credentials.ts';
import { unlessRefused, userClient } from '../app/github-client.ts';

type OAuthContext = Pick<Context, 'config' | 'clock' | 'log'>;

const Granted = z.object({
  access_token: z.string().min(1),
  token_type: z.string().nullish(),
  scope: z.string().nullish(),
  refresh_token: z.string().nullish(),
  /** Seconds. Missing when the App's user tokens don't expire. */
  expires_in: z.coerce.number().nullish(),
});
/** GitHub also answers 200 when it refuses. */
const Refused = z.object({ error: z.string() });

function toAccountTokens(granted: z.output<typeof Granted>, now: Date): AccountTokens {
  const { expires_in: seconds } = granted;
  return {
    accessToken: granted.access_token,
    refreshToken: granted.refresh_token ?? null,
    tokenType: granted.token_type ?? null,
    scope: granted.scope ?? null,
    expiresAt: seconds === null || seconds === undefined ? null : new Date(now.getTime() + seconds * 1000),
  };
}

/** Null: GitHub rejects the code or the refresh token. */
async function askForTokens(
  ctx: OAuthContext,
  client: OAuthClient,
  grant: Record<string, string>,
): Promise<AccountTokens | null> {
  const github = await userClient(ctx, null);
  const answer = await unlessRefused(ctx, async () =>
    github.request('POST /login/oauth/access_token', {
      baseUrl: webAddress(ctx.config),
      headers: { accept: 'application/json' },
      client_id: client.clientId,
      client_secret: client.clientSecret,
      ...grant,
    }),
  );
  const granted = Granted.safeParse(answer?.data);
  if (granted.success) return toAccountTokens(granted.data, ctx.clock.now());
  const refused = Refused.safeParse(answer?.data);
  ctx.log.warn({ reason: refused.success ? refused.data.error : null }, 'GitHub returned no token');
  if (refused.success && refused.data.error === 'incorrect_client_credentials') {
    throw unavailable('GitHub does not accept the client secret of this Pixelgate server', 'github_misconfigured');
  }
  return null;
}

/** Exchanges the code at the end of the web flow, with PKCE. Null: the code was used, is too old, or is not ours. */
export async function exchangeCode(
  ctx: OAuthContext,
  client: OAuthClient,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<AccountTokens | null> {
  return askForTokens(ctx, client, { code, code_verifier: verifier, redirect_uri: redirectUri });
}

/** Null: the refresh token was used, is too old, or was revoked. */
export async function refreshTokens(
  ctx: OAuthContext,
  client: OAuthClient,
  refreshToken: string,
): Promise<AccountTokens | null> {
  return askForTokens(ctx, client, { grant_type: 'refresh_token', refresh_token: refreshToken });
}
