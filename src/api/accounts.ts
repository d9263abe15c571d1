import { z } from 'zod';
import { forgotPassword } from '../auth/forgot-password.ts';
import { logIn } from '../auth/log-in.ts';
import { register } from '../auth/register.ts';
import { resetPassword } from '../auth/reset-password.ts';
import { AppError } from '../errors.ts';
import { presentUser } from './present-user.ts';
import { openRoute, route } from './route.ts';
import { MessageResponse } from './schemas/common.ts';
import * as users from './schemas/users.ts';

const tag = 'Accounts';

export const postRegister = openRoute(
  {
    operationId: 'register',
    summary: 'Create an account and sign in',
    tag,
    status: 201,
    body: users.RegisterInput,
    response: users.AuthResponse,
    failures: { 403: 'Registration is closed', 409: 'The e-mail address has an account' },
    rateLimit: 'register',
  },
  async (ctx, { body, cookie }) => {
    const { user, token } = await register(ctx, body);
    cookie.set(token);
    return { user: presentUser(user), token };
  },
);

export const postLogin = openRoute(
  {
    operationId: 'login',
    summary: 'Sign in',
    tag,
    status: 200,
    body: users.LoginInput,
    response: users.AuthResponse,
    failures: { 401: 'The e-mail address or the password is wrong' },
    rateLimit: 'login',
  },
  async (ctx, { body, cookie }) => {
    const { user, token } = await logIn(ctx, body);
    cookie.set(token);
    return { user: presentUser(user), token };
  },
);

export const postLogout = openRoute(
  {
    operationId: 'logout',
    summary: 'Clear the session cookie',
    tag,
    status: 200,
    response: MessageResponse,
  },
  async (_ctx, { cookie }) => {
    cookie.clear();
    return { message: 'Signed out' };
  },
);

export const getMe = route(
  { operationId: 'me', summary: 'The account that the token stands for', tag, status: 200, response: users.MeResponse },
  async (_ctx, { viewer }) => ({ user: presentUser(viewer) }),
);

export const postForgotPassword = openRoute(
  {
    operationId: 'forgotPassword',
    summary: 'Ask for a link to reset the password',
    description: 'Answers the same whether or not there is such an account.',
    tag,
    status: 200,
    body: users.ForgotPasswordInput,
    response: MessageResponse,
    rateLimit: 'forgot-password',
  },
  async (ctx, { body }) => {
    await forgotPassword(ctx, body);
    return { message: 'If there is an account with this e-mail address, a link to reset its password is on its way' };
  },
);

export const postResetPassword = openRoute(
  {
    operationId: 'resetPassword',
    summary: 'Set a new password with a reset token',
    description: 'The token works once, for one hour. Every session of the account is signed out.',
    tag,
    status: 200,
    body: users.ResetPasswordInput,
    response: MessageResponse,
    rateLimit: 'reset-password',
  },
  async (ctx, { body }) => {
    await resetPassword(ctx, body);
    return { message: 'The password was changed: sign in with the new one' };
  },
);

async function refuseGitHub(): Promise<never> {
  throw new AppError('not_found', 'Sign-in with GitHub is not configured', { code: 'github_not_configured' });
}

const gitHub = {
  tag,
  status: 302,
  response: z.never(),
  failures: { 404: 'Sign-in with GitHub is not configured' },
} as const;

export const getGitHubSignIn = openRoute(
  { ...gitHub, operationId: 'signInWithGitHub', summary: 'Sign in with GitHub: leads to GitHub' },
  refuseGitHub,
);

export const getGitHubCallback = openRoute(
  { ...gitHub, operationId: 'signedInWithGitHub', summary: 'Where GitHub leads back to' },
  refuseGitHub,
);
