import { z } from 'zod';
import { forgotPassword, resetPassword } from '../auth/passwords/change-password.ts';
import { logIn } from '../auth/passwords/log-in.ts';
import { PASSWORD_MAX_BYTES, PASSWORD_MIN_CHARACTERS } from '../auth/passwords/password.ts';
import { register } from '../auth/register.ts';
import { endSessionOf } from '../auth/sessions/start-session.ts';
import { createSignInLink, signInAddress } from '../auth/sign-in-link.ts';
import { finishSignIn, startSignIn } from '../github/sign-in/sign-in-with-github.ts';
import { knowBrowser, signBrowserIn } from '../http/cookies.ts';
import { ownPath } from '../http/own-path.ts';
import { finishOidcSignIn, startOidcSignIn } from '../oidc/sign-in-with-oidc.ts';
import { registerInvited } from '../suites/invitations/accept-invitation.ts';
import { publicRoute, redirectRoute, route } from './api-route.ts';
import { IsoDate, MessageResponse, namedObject, recordFields } from './suite-schemas.ts';

const User = namedObject('User', {
  ...recordFields,
  email: z.string(),
  name: z.string().nullable(),
  image: z.string().nullable(),
});

const email = z.string().describe('Trimmed; not case-sensitive');

const password = z
  .string()
  .describe(`At least ${PASSWORD_MIN_CHARACTERS} characters, at most ${PASSWORD_MAX_BYTES} bytes of UTF-8`);

const RegisterInput = namedObject('RegisterInput', {
  email,
  password,
  name: z.string().nullish(),
  invitation: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The last part of the link of an invitation, which the new account accepts'),
});

const AuthResponse = namedObject('AuthResponse', {
  user: User,
  token: z.string().describe('A JWT. Send it as `Authorization: Bearer <token>`.'),
});

const MeResponse = namedObject('MeResponse', { user: User });

/** Where to go after signing in. Must be a path of this service; anything else is replaced by the start page. */
const SignInQuery = z.object({ next: z.string().max(1000).optional() });

/** The parameters that GitHub adds to the callback URL (RFC 6749 4.1.2). */
const GitHubCallbackQuery = z.object({
  code: z.string().max(1000).optional(),
  state: z.string().max(1000).optional(),
  error: z.string().max(1000).optional(),
});

/** The same of an OpenID Connect issuer, which may name itself (RFC 9207). */
const OidcCallbackQuery = GitHubCallbackQuery.extend({
  // Some issuers send signed codes.
  code: z.string().max(8000).optional(),
  iss: z.string().max(1000).optional(),
});

const PASSWORDS_OFF = 'Sign-in with a password is turned off';

export const postRegister = publicRoute(
  {
    operationId: 'register',
    summary: 'Create an account and sign in',
    description: 'Where registration is closed, only with an `invitation`.',
    status: 201,
    body: RegisterInput,
    response: AuthResponse,
    failures: {
      403: 'Registration is closed, or passwords are turned off',
      409: 'An account with this email address already exists',
    },
    rateLimit: 'register',
    setsCookie: true,
  },
  async (ctx, { body, cookies }) => {
    const { invitation, ...account } = body;
    const session =
      invitation === undefined ? await register(ctx, account) : await registerInvited(ctx, invitation, account);
    signBrowserIn(ctx, cookies, session);
    return session;
  },
);

export const postLogin = publicRoute(
  {
    operationId: 'login',
    summary: 'Sign in',
    body: namedObject('LoginInput', { email, password: z.string() }),
    response: AuthResponse,
    failures: { 401: 'The email address or password is incorrect', 403: PASSWORDS_OFF },
    rateLimit: 'login',
    setsCookie: true,
  },
  async (ctx, { body, cookies }) => {
    const session = await logIn(ctx, body);
    signBrowserIn(ctx, cookies, session);
    return session;
  },
);

export const postLogout = publicRoute(
  {
    operationId: 'logout',
    summary: 'End the session of the cookie, and clear the cookie',
    response: MessageResponse,
  },
  async (ctx, { cookies }) => {
    await endSessionOf(ctx, cookies.read('session'));
    cookies.clear('session');
    return { message: 'Signed out' };
  },
);

export const getMe = route(
  { operationId: 'me', summary: 'Read the signed-in account', response: MeResponse },
  async (_ctx, { viewer }) => ({ user: viewer }),
);

export const postForgotPassword = publicRoute(
  {
    operationId: 'forgotPassword',
    summary: 'Email a password reset link',
    description: 'The response is the same whether or not the account exists.',
    body: namedObject('ForgotPasswordInput', { email }),
    response: MessageResponse,
    failures: { 403: PASSWORDS_OFF },
    rateLimit: 'forgot-password',
  },
  async (ctx, { body }) => {
    await forgotPassword(ctx, body);
    return { message: 'If an account with this email address exists, we sent a link to reset its password' };
  },
);

export const postResetPassword = publicRoute(
  {
    operationId: 'resetPassword',
    summary: 'Set a new password with a reset token',
    description: 'The token works once and expires after one hour. All sessions of the account are signed out.',
    body: namedObject('ResetPasswordInput', { token: z.string().min(1), password }),
    response: MessageResponse,
    failures: { 403: PASSWORDS_OFF },
    rateLimit: 'reset-password',
  },
  async (ctx, { body, cookies }) => {
    const { email } = await resetPassword(ctx, body);
    knowBrowser(ctx, cookies, email);
    return { message: 'Password changed. Sign in with your new password.' };
  },
);

export const postSignInLink = route(
  {
    operationId: 'createSignInLink',
    summary: 'Create a link that signs a browser in as the caller',
    description:
      'The link works once, expires after 15 minutes, and stops working when the password changes. Anyone who opens it is signed in as the caller, so keep it as secret as a password.',
    status: 201,
    response: namedObject('SignInLinkResponse', {
      url: z.url().describe('Signs in the browser that opens it. Works once.'),
      expiresAt: IsoDate,
    }),
  },
  async (ctx, { viewer }) => {
    const { token, expiresAt } = await createSignInLink(ctx, viewer);
    return { url: signInAddress(ctx.config.publicUrl, token), expiresAt };
  },
);

export const getGitHubSignIn = redirectRoute(
  {
    operationId: 'signInWithGitHub',
    summary: 'Sign in with GitHub (redirects to GitHub)',
    description: 'For a signed-in caller, links the GitHub account instead.',
    query: SignInQuery,
    failures: { 404: 'Sign-in with GitHub is not configured' },
  },
  async (ctx, { viewer, query, cookies }) => {
    const { location, kept } = await startSignIn(ctx, viewer, ownPath(query.next));
    cookies.set('signIn', kept);
    return location;
  },
);

export const getGitHubCallback = redirectRoute(
  {
    operationId: 'signedInWithGitHub',
    summary: 'Return from GitHub (signs in and redirects to `next` or to the dashboard)',
    description:
      'A GitHub account that is not linked yet is linked to the signed-in caller. If nobody is signed in, it is linked to the account whose email address GitHub has verified, or a new account is created.',
    query: GitHubCallbackQuery,
    failures: {
      403: 'Registration is closed, or authorization was refused on GitHub',
      404: 'Sign-in with GitHub is not configured',
      409: 'The GitHub account is linked to another user, or an account with this email address already exists',
    },
  },
  async (ctx, { viewer, query, cookies }) => {
    const session = await finishSignIn(ctx, viewer, query, cookies.take('signIn'));
    signBrowserIn(ctx, cookies, session);
    return ctx.config.publicUrl + session.next;
  },
);

export const getOidcSignIn = redirectRoute(
  {
    operationId: 'signInWithOidc',
    summary: 'Sign in by OpenID Connect (redirects to the issuer)',
    description: 'For a signed-in caller, links the account at the issuer instead.',
    query: SignInQuery,
    failures: { 404: 'Sign-in by OpenID Connect is not configured', 503: 'The issuer cannot be reached' },
  },
  async (ctx, { viewer, query, cookies }) => {
    const { location, kept } = await startOidcSignIn(ctx, viewer, ownPath(query.next));
    cookies.set('signIn', kept);
    return location;
  },
);

export const getOidcCallback = redirectRoute(
  {
    operationId: 'signedInWithOidc',
    summary: 'Return from the issuer (signs in and redirects to `next` or to the dashboard)',
    description:
      'An account at the issuer that is not linked yet is linked to the signed-in caller. If nobody is signed in, it is linked to the account whose email address the issuer has verified, or a new account is created. What the person’s groups give is applied at each sign-in.',
    query: OidcCallbackQuery,
    failures: {
      403: 'The person may not sign in here, or authorization was refused at the issuer',
      404: 'Sign-in by OpenID Connect is not configured',
      409: 'The account at the issuer is linked to another user, or an account with this email address already exists',
      503: 'The issuer cannot be reached',
    },
  },
  async (ctx, { viewer, query, cookies }) => {
    const session = await finishOidcSignIn(ctx, viewer, query, cookies.take('signIn'));
    signBrowserIn(ctx, cookies, session);
    return ctx.config.publicUrl + session.next;
  },
);
