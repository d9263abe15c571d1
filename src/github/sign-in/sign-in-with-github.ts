import type { ExternalIdentity } from '../../auth/account.ts';
import type { Session } from '../../auth/sessions/start-session.ts';
import { codeChallenge, newSignInState, readSignInState } from '../../auth/sign-in-state.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { AppError, forbidden } from '../../errors.ts';
import { signInInvited } from '../../suites/invitations/sign-in-invited.ts';
import { webAddress } from '../app/addresses.ts';
import { readOAuthClient, type OAuthClient } from '../app/credentials.ts';
import { exchangeCode } from './oauth-client.ts';
import { readIdentity } from './read-identity.ts';

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
