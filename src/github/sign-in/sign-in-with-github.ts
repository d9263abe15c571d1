import type { ExternalIdentity } from '../../auth/account.ts';
import { openingSecrets, requireJwtSecret } from '../../auth/jwt-secret.ts';
import { signInWithAccount } from '../../auth/sign-in-with-account.ts';
import type { Session } from '../../auth/start-session.ts';
import type { User } from '../../auth/user.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { AppError, forbidden } from '../../errors.ts';
import { seal, unseal } from '../../secrets/seal.ts';
import { findInvitation, joinInvited } from '../../suites/invitations/accept-invitation.ts';
import { readInvitationPath } from '../../suites/invitations/invitation.ts';
import type { OpenedInvitation } from '../../suites/invitations/invitation.ts';
import { webAddress } from '../app/addresses.ts';
import { readOAuthClient } from '../app/credentials.ts';
import type { OAuthClient } from '../app/credentials.ts';
import { exchangeCode } from './oauth-client.ts';
import { readIdentity } from './read-identity.ts';
import { codeChallenge, newSignInState, readSignInState } from './sign-in-state.ts';
import type { SignInState } from './sign-in-state.ts';

type SignInContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

const PURPOSE = 'github-sign-in';

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
  const state = newSignInState(viewer?.id ?? null, next, ctx.clock.now());
  const location = new URL(`${webAddress(ctx.config)}/login/oauth/authorize`);
  location.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri(ctx.config),
    state: state.state,
    code_challenge: codeChallenge(state.verifier),
    code_challenge_method: 'S256',
  }).toString();
  return { location: location.href, kept: seal(requireJwtSecret(ctx.config), PURPOSE, JSON.stringify(state)) };
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
  const state = verifyState(ctx, kept);
  const isTheirs = state !== null && state.state === answer.state && isSameUser(state, viewer);
  if (!isTheirs) throw lapsed();
  if (answer.error !== undefined) throw forbidden('You did not authorize Pixelgate on GitHub', 'github_refused');
  if (answer.code === undefined) throw lapsed();
  const grant = { code: answer.code, verifier: state.verifier, redirectUri: redirectUri(ctx.config) };
  const tokens = await exchangeCode(ctx, client, grant);
  const identity: ExternalIdentity | null = tokens === null ? null : await readIdentity(ctx, tokens);
  if (identity === null) throw lapsed();
  const invitation = await readInvitation(ctx, state.next);
  if (invitation === null)
    return { ...(await signInWithAccount(ctx, identity, state.userId === null ? null : viewer)), next: state.next };
  let { next } = state;
  const take = async (trx: Db, user: User) => {
    const joined = await joinInvited(ctx, trx, invitation, user);
    next = `/suites/${joined.testSuiteId}`;
  };
  const invited = { email: invitation.email, take };
  const session = await signInWithAccount(ctx, identity, state.userId === null ? null : viewer, invited);
  return { ...session, next };
}

/** The invitation from whose page the person came. Null: they came from elsewhere, or it has ended. */
async function readInvitation(ctx: SignInContext, next: string): Promise<OpenedInvitation | null> {
  const token = readInvitationPath(next);
  return token === null ? null : findInvitation(ctx, token);
}

function verifyState({ config, clock }: SignInContext, kept: string | null): SignInState | null {
  const opened = kept === null ? null : unseal(openingSecrets(config), PURPOSE, kept);
  return opened === null ? null : readSignInState(opened, clock.now());
}

/** The person who asked to link an account must still be the one who is signed in. */
function isSameUser({ userId }: SignInState, viewer: Viewer | null): boolean {
  return userId === null || userId === viewer?.id;
}

function lapsed(): AppError {
  return new AppError('invalid', 'This sign-in with GitHub was already used or has expired. Start again.', {
    code: 'github_sign_in_lapsed',
  });
}
