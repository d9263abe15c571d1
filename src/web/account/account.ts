import { z } from 'zod';
import { changeName } from '../../auth/change-name.ts';
import { changePassword } from '../../auth/change-password.ts';
import { hasPassword } from '../../auth/has-password.ts';
import { linkedAccountsOf } from '../../auth/linked-accounts.ts';
import { signOutEverywhere } from '../../auth/sign-out-everywhere.ts';
import type { Context } from '../../context.ts';
import { isSignInConfigured } from '../../github/sign-in.ts';
import type { Answer } from '../answer.ts';
import { leadTo } from '../answer.ts';
import { fieldsOf } from '../form-field.ts';
import type { Problem } from '../problem.ts';
import type { Call } from '../row.ts';
import { action, page } from '../row.ts';
import { themeChoices } from '../theme-choices.ts';
import { NAME, NEW_PASSWORD, PASSWORD } from './credential-fields.ts';

/** Which of the page's forms was refused. */
type Refused = { form: 'name' | 'password'; problem: Problem };

async function showAccount(
  ctx: Context,
  { viewer, theme }: Call<unknown, unknown>,
  refused: Refused | null = null,
): Promise<Answer> {
  const problemAt = (form: Refused['form']) => (refused?.form === form ? refused.problem : null);
  const [accounts, withGitHub, withPassword] = await Promise.all([
    linkedAccountsOf(ctx, viewer.id, 'github'),
    isSignInConfigured(ctx),
    hasPassword(ctx, viewer),
  ]);
  const model = {
    email: viewer.email,
    profile: {
      problem: problemAt('name'),
      fields: fieldsOf({ name: { ...NAME, value: viewer.name } }, problemAt('name')),
    },
    password: withPassword
      ? {
          problem: problemAt('password'),
          fields: fieldsOf(
            {
              current: { ...PASSWORD, label: 'Current password' },
              password: { ...NEW_PASSWORD, label: 'New password' },
            },
            problemAt('password'),
          ),
        }
      : null,
    gitHub: {
      configured: withGitHub,
      link: withGitHub ? '/api/auth/github?next=/account' : null,
      accounts: accounts.map(({ accountId }) => ({ accountId })),
    },
    linked: { label: 'Linked', tone: 'success', icon: 'check' },
    themes: themeChoices(theme),
    signOutEverywhere: {
      label: 'Sign out everywhere',
      small: false,
      question: 'Every session and API token of yours stops working at once. You will have to sign in again.',
      button: 'Sign out everywhere',
      action: '/account/sign-out-everywhere',
      fields: [],
    },
    tokenAddress: `${ctx.config.publicUrl}/api/auth/login`,
  };
  return { kind: 'page', view: 'account/account', title: 'Account', model, section: 'account' };
}

export const getAccount = page({ path: '/account' }, async (ctx, call) => showAccount(ctx, call));

export const postName = action(
  {
    path: '/account/name',
    form: z.object({ name: z.string() }),
    again: async (ctx, call, problem) => showAccount(ctx, call, { form: 'name', problem }),
  },
  async (ctx, { viewer, form }) => {
    const { name } = await changeName(ctx, viewer, form.name);
    return leadTo('/account', name === null ? 'Your name was taken away' : 'Your name was changed');
  },
);

export const postPassword = action(
  {
    path: '/account/password',
    form: z.object({ current: z.string(), password: z.string() }),
    rateLimit: 'change-password',
    again: async (ctx, call, problem) => showAccount(ctx, call, { form: 'password', problem }),
  },
  async (ctx, { viewer, form, cookies }) => {
    const { token } = await changePassword(ctx, viewer, form);
    cookies.signIn(token);
    return leadTo('/account', 'Your password was changed. Other sessions of yours were signed out.');
  },
);

export const postSignOutEverywhere = action(
  { path: '/account/sign-out-everywhere', form: z.object({}) },
  async (ctx, { viewer, cookies }) => {
    await signOutEverywhere(ctx, viewer);
    cookies.signOut();
    return leadTo('/sign-in', 'You are signed out everywhere');
  },
);
