import type { AccountTokens, ExternalIdentity } from '../../auth/account.ts';
import type { Session } from '../../auth/sessions/start-session.ts';
import { codeChallenge, newSignInState, readSignInState } from '../../auth/sign-in-state.ts';
import type { Viewer } from '../../auth/user.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { AppError, forbidden } from '../../errors.ts';
import { signInInvited } from '../../suites/invitations/accept-invitation.ts';
import { webAddress } from '../app/addresses.ts';
import { readOAuthClient, type OAuthClient } from '../app/credentials.ts';
import { unlessRefused, userClient } from '../app/github-client.ts';
import { exchangeCode } from './oauth-client.ts';

type Email = { email: string; primary: boolean; verified: boolean };

/** GitHub's no-reply address, which receives no mail. Used for people who show no other address. */
const noReplyAddress = (id: number | bigint, login: string, host: string | null) =>
  `${id}+${login}@users.noreply.github.${host === null ? 'com' : 'invalid'}`;

/** Empty when the App lacks the permission to read addresses. Then GitHub verifies none. */
async function readEmails(ctx: Pick<Context, 'config' | 'log' | 'clock'>, token: string): Promise<Email[]> {
  const github = await userClient(ctx, token);
  const emails = await unlessRefused(ctx, async () => github.paginate('GET /user/emails', { per_page: 100 }));
  return (emails ?? []).toSorted((a, b) => Number(b.primary) - Number(a.primary));
}

/** The person that the tokens belong to. Null: GitHub rejects the tokens. */
async function readIdentity(
  ctx: Pick<Context, 'config' | 'log' | 'clock'>,
  tokens: AccountTokens,
): Promise<ExternalIdentity | null> {
  const github = await userClient(ctx, tokens.accessToken);
  const answer = await unlessRefused(ctx, async () => github.request('GET /user'));
  if (answer === null) return null;
  const { id, login, name, avatar_url: image, email: shown } = answer.data;
  const emails = await readEmails(ctx, tokens.accessToken);
  const verifiedEmails = emails.filter(({ verified }) => verified).map(({ email }) => email);
  const unverified = emails.filter(({ verified }) => !verified).map(({ email }) => email);
  const noReply = noReplyAddress(id, login, ctx.config.github.enterpriseHost);
  return {
    provider: 'github',
    accountId: String(id),
    login,
    name: name ?? login,
    image: image ?? null,
    verifiedEmails,
    otherEmails: [...unverified, ...(shown ? [shown] : []), noReply],
    tokens,
    mayRegister: false,
  };
}

type SignInContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

const redirectUri = ({ publicUrl }: Pick<Config, 'publicUrl'>) => `${publicUrl}/api/auth/github/callback`;

async function configuredClient(ctx: SignInContext): Promise<OAuthClient> {
  const client = await readOAuthClient(ctx);
  if (client !== null) return client;
  throw new AppError('not_found', 'Sign-in with GitHub is not configured', { code: 'github_not_configured' });
}

/** Whether people can sign in with GitHub here. */
export async function isSignInConfigured(ctx: SignInContext): Promise<boolean> {
  return (await readOAuthClient(ctx)) !== null;
}

/**
 * The URL for the browser, and what the browser must keep until it returns (RFC 6749 4.1, RFC 7636).
 * @param viewer the signed-in person, who links their GitHub account; null signs in with it
 * @param next a path of our own to redirect to at the end
 */
export async function startSignIn(
  ctx: SignInContext,
  viewer: Viewer | null,
  next: string,
): Promise<{ location: string; kept: string }> {
  const { clientId } = await configuredClient(ctx);
  const { state, kept } = newSignInState(ctx, 'github', viewer, next);
  const location = new URL(`${webAddress(ctx.config)}/login/oauth/authorize`);
  location.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri(ctx.config),
    state: state.state,
    code_challenge: codeChallenge(state.verifier),
    code_challenge_method: 'S256',
  }).toString();
  return { location: location.href, kept };
}

/** The query with which GitHub sends the browser back. */
export type SignInAnswer = { code?: string | undefined; state?: string | undefined; error?: string | undefined };

/**
 * @param kept what the browser kept
 * @throws AppError `github_sign_in_lapsed` (400), `github_refused` (403), and those of `signInWithAccount`.
 */
export async function finishSignIn(
  ctx: SignInContext,
  viewer: Viewer | null,
  answer: SignInAnswer,
  kept: string | null,
): Promise<Session & { next: string }> {
  const client = await configuredClient(ctx);
  const state = readSignInState(ctx, 'github', viewer, kept, answer.state);
  if (state === null) throw lapsed();
  if (answer.error !== undefined) throw forbidden('You did not authorize Pixelgate on GitHub', 'github_refused');
  if (answer.code === undefined) throw lapsed();
  const grant = { code: answer.code, verifier: state.verifier, redirectUri: redirectUri(ctx.config) };
  const tokens = await exchangeCode(ctx, client, grant);
  const identity: ExternalIdentity | null = tokens === null ? null : await readIdentity(ctx, tokens);
  if (identity === null) throw lapsed();
  return signInInvited(ctx, identity, state, viewer);
}

function lapsed(): AppError {
  return new AppError('invalid', 'This sign-in with GitHub was already used or has expired. Start again.', {
    code: 'github_sign_in_lapsed',
  });
}
