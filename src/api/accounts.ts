import { logIn } from '../auth/passwords/log-in.ts';
import { resetPassword } from '../auth/passwords/reset-password.ts';
import { forgotPassword } from '../auth/passwords/send-reset-link.ts';
import { register } from '../auth/register.ts';
import { endSessionOf } from '../auth/sessions/sessions.ts';
import { createSignInLink, signInAddress } from '../auth/sign-in-link.ts';
import { finishSignIn, startSignIn } from '../github/sign-in/sign-in-with-github.ts';
import { knowBrowser, signBrowserIn } from '../http/cookies.ts';
import { ownPath } from '../http/own-path.ts';
import { finishOidcSignIn, startOidcSignIn } from '../oidc/sign-in-with-oidc.ts';
import { registerInvited } from '../suites/invitations/accept-invitation.ts';
import { publicRoute, redirectRoute, route } from './api-route.ts';
import { MessageResponse } from './schemas/common-schemas.ts';
import * as users from './schemas/user-schemas.ts';

const PASSWORDS_OFF = 'Sign-in with a password is turned off';

export const postRegister = publicRoute(
  {
    operationId: 'register',
    summary: 'Create an account and sign in',
    description: 'Where registration is closed, only with an `invitation`.',
    status: 201,
    body: users.RegisterInput,
    response: users.AuthResponse,
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
    return { user: session.user, token: session.token };
  },
);

export const postLogin = publicRoute(
  {
    operationId: 'login',
    summary: 'Sign in',
    body: users.LoginInput,
    response: users.AuthResponse,
    failures: { 401: 'The email address or password is incorrect', 403: PASSWORDS_OFF },
    rateLimit: 'login',
    setsCookie: true,
  },
  async (ctx, { body, cookies }) => {
    const session = await logIn(ctx, body);
    signBrowserIn(ctx, cookies, session);
    return { user: session.user, token: session.token };
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
  { operationId: 'me', summary: 'Read the signed-in account', response: users.MeResponse },
  async (_ctx, { viewer }) => ({ user: viewer }),
);

export const postForgotPassword = publicRoute(
  {
    operationId: 'forgotPassword',
    summary: 'Email a password reset link',
    description: 'The response is the same whether or not the account exists.',
    body: users.ForgotPasswordInput,
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
    body: users.ResetPasswordInput,
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
    response: users.SignInLinkResponse,
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
    query: users.SignInQuery,
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
    query: users.GitHubCallbackQuery,
    failures: {
      403: 'Registration is closed, or authorization was refused on GitHub',
      404: 'Sign-in with GitHub is not configured',
      409: 'The GitHub account is linked to another user, or an account with this email address already exists',
    },
  },
  async (ctx, { viewer, query, cookies }) => {
    const kept = cookies.read('signIn');
    cookies.clear('signIn');
    const session = await finishSignIn(ctx, viewer, query, kept);
    signBrowserIn(ctx, cookies, session);
    return ctx.config.publicUrl + session.next;
  },
);

export const getOidcSignIn = redirectRoute(
  {
    operationId: 'signInWithOidc',
    summary: 'Sign in by OpenID Connect (redirects to the issuer)',
    description: 'For a signed-in caller, links the account at the issuer instead.',
    query: users.SignInQuery,
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
    query: users.OidcCallbackQuery,
    failures: {
      403: 'The person may not sign in here, or authorization was refused at the issuer',
      404: 'Sign-in by OpenID Connect is not configured',
      409: 'The account at the issuer is linked to another user, or an account with this email address already exists',
      503: 'The issuer cannot be reached',
    },
  },
  async (ctx, { viewer, query, cookies }) => {
    const kept = cookies.read('signIn');
    cookies.clear('signIn');
    const session = await finishOidcSignIn(ctx, viewer, query, kept);
    signBrowserIn(ctx, cookies, session);
    return ctx.config.publicUrl + session.next;
  },
);
