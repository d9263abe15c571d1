import * as client from 'openid-client';
import { setGroupGrants } from '../access/grants.ts';
import { isAtLeast, type SuiteRole } from '../access/role.ts';
import { setGroupAdministrator } from '../auth/manage-accounts.ts';
import type { Session } from '../auth/sessions/start-session.ts';
import { codeChallenge, newSignInState, readSignInState, type SignInState } from '../auth/sign-in-state.ts';
import type { User, Viewer } from '../auth/user.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { AppError, forbidden, unavailable } from '../errors.ts';
import { signInInvited } from '../suites/invitations/accept-invitation.ts';
import { lockSuitesOfOthers } from '../suites/suite-store.ts';
import type { OidcSettings } from '../text/oidc-setting.ts';
import { configuredOidc, findIssuer, unreachable } from './issuer.ts';
import { readClaims, readGroups, toIdentity, type Claims } from './read-claims.ts';

/** The highest role for each suite. */
function rolesOf(groups: readonly string[], { groupRoles }: OidcSettings): Map<string, SuiteRole> {
  const roles = new Map<string, SuiteRole>();
  for (const { group, role, suiteId } of groupRoles) {
    if (suiteId === null || role === 'ADMINISTRATOR' || !groups.includes(group)) continue;
    const held = roles.get(suiteId);
    roles.set(suiteId, held !== undefined && isAtLeast(held, role) ? held : role);
  }
  return roles;
}

/**
 * Gives the person the roles of their groups (`OIDC_GROUP_ROLES`), and takes back roles that no group gives any more.
 * Roles that somebody gave by hand stay. Runs in the transaction of the sign-in.
 */
async function applyGroups(
  { log }: Pick<Context, 'log'>,
  trx: Db,
  user: User,
  oidc: OidcSettings,
  groups: readonly string[],
): Promise<void> {
  const administering = oidc.groupRoles.filter(({ suiteId }) => suiteId === null);
  const isAdministrator = administering.some(({ group }) => groups.includes(group));
  await setGroupAdministrator(trx, user, isAdministrator);
  const roles = rolesOf(groups, oidc);
  const suites = await lockSuitesOfOthers(trx, [...roles.keys()], user.id);
  const wanted = suites.flatMap((suiteId) => {
    const role = roles.get(suiteId);
    return role === undefined ? [] : [{ suiteId, role }];
  });
  await setGroupGrants(trx, user.id, wanted);
  log.info({ userId: user.id, isAdministrator, grants: wanted }, 'applied the roles of groups');
}

type SignInContext = Pick<Context, 'config' | 'db' | 'clock' | 'log' | 'discovered'>;

const redirectUri = ({ publicUrl }: Pick<Config, 'publicUrl'>) => `${publicUrl}/api/auth/oidc/callback`;

/**
 * The URL for the browser, and what the browser must keep until it returns (OpenID Connect Core 3.1.2, RFC 7636).
 * @param viewer the signed-in person, who links their account; null signs in with it
 * @param next a path of our own to redirect to at the end
 * @throws AppError not_found `oidc_not_configured`, unavailable `issuer_unreachable`
 */
export async function startOidcSignIn(
  ctx: SignInContext,
  viewer: Viewer | null,
  next: string,
): Promise<{ location: string; kept: string }> {
  const { scopes } = configuredOidc(ctx);
  const issuer = await findIssuer(ctx);
  const { state, kept } = newSignInState(ctx, 'oidc', viewer, next);
  const location = client.buildAuthorizationUrl(issuer, {
    redirect_uri: redirectUri(ctx.config),
    scope: scopes,
    state: state.state,
    nonce: state.nonce,
    code_challenge: codeChallenge(state.verifier),
    code_challenge_method: 'S256',
  });
  return { location: location.href, kept };
}

/** The query with which the issuer sends the browser back. */
export type OidcAnswer = {
  code?: string | undefined;
  state?: string | undefined;
  error?: string | undefined;
  iss?: string | undefined;
};

/**
 * @param kept what the browser kept
 * @throws AppError `oidc_sign_in_lapsed`, `oidc_answer_invalid` (400), `oidc_refused` (403), those of `toIdentity` and
 * `signInWithAccount`, unavailable.
 */
export async function finishOidcSignIn(
  ctx: SignInContext,
  viewer: Viewer | null,
  answer: OidcAnswer,
  kept: string | null,
): Promise<Session & { next: string }> {
  const oidc = configuredOidc(ctx);
  const state = readSignInState(ctx, 'oidc', viewer, kept, answer.state);
  if (state === null) throw lapsed(oidc);
  const claims = await redeem(ctx, oidc, state, answer);
  const then = async (trx: Db, user: User) => applyGroups(ctx, trx, user, oidc, readGroups(oidc, claims));
  return signInInvited(ctx, toIdentity(oidc, claims), state, viewer, then);
}

/** Exchanges the code, checks the tokens, and asks the issuer for more about the person. */
async function redeem(
  ctx: SignInContext,
  oidc: OidcSettings,
  { state, verifier, nonce }: SignInState,
  answer: OidcAnswer,
): Promise<Claims> {
  const issuer = await findIssuer(ctx);
  const url = new URL(redirectUri(ctx.config));
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value);
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
  try {
    const tokens = await client.authorizationCodeGrant(issuer, url, checks);
    const idToken = tokens.claims();
    if (idToken === undefined) throw new Error('There is no identity token');
    const asked = issuer.serverMetadata().userinfo_endpoint !== undefined;
    const userInfo = asked ? await client.fetchUserInfo(issuer, tokens.access_token, idToken.sub) : {};
    return readClaims(idToken, userInfo);
  } catch (error) {
    ctx.log.warn({ err: error, issuer: oidc.issuer }, 'a sign-in by OpenID Connect failed');
    throw explain(oidc, error);
  }
}

function lapsed({ label }: OidcSettings): AppError {
  return new AppError('invalid', `This sign-in with ${label} was already used or has expired. Start again.`, {
    code: 'oidc_sign_in_lapsed',
  });
}

/** The messages of `fetch` when there is no connection, and when it drops in the middle of an answer. */
const LOST = ['fetch failed', 'terminated'];

const isSilent = (error: unknown): boolean =>
  error instanceof client.ClientError
    ? error.code === 'OAUTH_TIMEOUT' || isSilent(error.cause)
    : error instanceof TypeError && LOST.includes(error.message);

function explain(oidc: OidcSettings, error: unknown): AppError {
  const { label } = oidc;
  if (error instanceof client.AuthorizationResponseError) {
    return forbidden(
      error.error === 'access_denied' ? `You did not authorize Pixelgate at ${label}` : `${label} did not sign you in`,
      'oidc_refused',
    );
  }
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return lapsed(oidc);
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_client') {
    return unavailable(`${label} does not accept the client secret of this Pixelgate server`, 'oidc_misconfigured');
  }
  if (isSilent(error)) return unreachable(oidc);
  return new AppError('invalid', `The answer of ${label} is not valid. Start again.`, { code: 'oidc_answer_invalid' });
}
