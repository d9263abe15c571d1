import { z } from 'zod';
import type { AccountLink, AccountProvider } from '../../auth/account.ts';
import { changeName, changePreferences, hasPassword, readLinks, unlinkAccount } from '../../auth/change-account.ts';
import { isAdministrator } from '../../auth/manage-accounts.ts';
import { changePassword } from '../../auth/passwords/change-password.ts';
import { PAGE_COLORS, PreferenceChange, SINGLE_KEYS, type Preferences } from '../../auth/preferences.ts';
import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { isSignInConfigured } from '../../github/sign-in/sign-in-with-github.ts';
import { Id } from '../../http/acts-on.ts';
import { readTheme, THEMES } from '../../http/cookies.ts';
import { ownPath } from '../../http/own-path.ts';
import { capitalize } from '../../text/format.ts';
import { asking, buildFields, ofForm } from '../form-field.ts';
import { themeChoices } from '../show-layout.ts';
import { formRoute, pageRoute, publicFormRoute, redirect } from '../web-route.ts';
import { emailModel } from './email-choices.ts';
import { passkeysModel, sessionsModel } from './session-forms.ts';
import { NAME, NEW_PASSWORD, PASSWORD } from './sign-in-form.ts';

const LABELS: Record<string, string> = { colorblind: 'Color blind', high_contrast: 'High contrast' };

const labelOf = (value: string) => LABELS[value] ?? capitalize(value);

/** A preference as a row of buttons, each of which saves its value. */
function choice(name: keyof Preferences, label: string, values: readonly string[], chosen: string) {
  const options = values.map((value) => ({ value, label: labelOf(value), current: value === chosen }));
  return { name, label, options };
}

/** The preferences on the account page. Others are chosen where they take effect. */
function preferenceChoices(chosen: Preferences) {
  const { pageColors, singleKeys } = chosen;
  return {
    colors: [choice('pageColors', 'Colors', PAGE_COLORS, pageColors)],
    keys: [choice('singleKeys', 'Single-key shortcuts', SINGLE_KEYS, singleKeys)],
  };
}

const Form = PreferenceChange.extend({ back: z.string().optional() });

export const postPreferences = formRoute({ path: '/preferences', form: Form }, async (ctx, { viewer, form }) => {
  const { back, ...change } = form;
  await changePreferences(ctx, viewer, change);
  return redirect(ownPath(back));
});

const ThemeForm = z.object({ theme: z.enum(THEMES), back: z.string().optional() });

/** The theme belongs to the browser, not to the account, so it is stored in a cookie. */
export const postTheme = publicFormRoute({ path: '/theme', form: ThemeForm }, async (_ctx, { form, cookies }) => {
  cookies.set('theme', form.theme);
  return redirect(ownPath(form.back));
});

const LOSSES: Record<string, string> = {
  github: 'You can no longer sign in with it, and it no longer links repositories or approves changes for you.',
};

function linkRow(link: AccountLink, service: string, isOnlyWayIn: boolean) {
  const { provider, login, accountId } = link;
  const name = provider === 'github' ? (login === null ? `ID ${accountId}` : `@${login}`) : (login ?? accountId);
  return {
    ...link,
    name,
    unlink: isOnlyWayIn
      ? null
      : asking(
          'Unlink',
          `Unlink the ${service} account ${name}? ${LOSSES[provider] ?? 'You can no longer sign in with it.'}`,
          `/account/linked/${link.id}/unlink`,
          { small: true, button: 'Unlink account' },
        ),
  };
}

/** The linked accounts on the account page. `withPassword`: the viewer can sign in without them. */
async function linkedAccountsModel(ctx: Context, viewer: Viewer, withPassword: boolean) {
  const [links, configured] = await Promise.all([readLinks(ctx, viewer), isSignInConfigured(ctx)]);
  const isOnlyWayIn = links.length === 1 && !withPassword;
  const { oidc } = ctx.config;
  const of = (provider: AccountProvider, service: string) => {
    const accounts = links.filter((link) => link.provider === provider);
    return {
      accounts: accounts.map((link) => linkRow(link, service, isOnlyWayIn)),
      isOnlyWayIn: isOnlyWayIn && accounts.length === 1,
    };
  };
  const label = oidc?.label ?? 'single sign-on';
  const atIssuer = of('oidc', label);
  return {
    gitHub: { ...of('github', 'GitHub'), link: configured ? '/api/auth/github?next=/account' : null },
    oidc:
      oidc === null && atIssuer.accounts.length === 0
        ? null
        : { ...atIssuer, label, link: oidc === null ? null : '/api/auth/oidc?next=/account' },
    passwords: ctx.config.passwordSignIn,
  };
}

export const postUnlinkAccount = formRoute(
  { path: '/account/linked/:linkId/unlink', params: z.object({ linkId: Id }) },
  async (ctx, { viewer, params }) => {
    await unlinkAccount(ctx, viewer, params.linkId);
    return redirect('/account', 'Account unlinked');
  },
);

export const getAccount = pageRoute({ path: '/account' }, async (ctx, { viewer, cookies, preferences }, problem) => {
  const ofName = ofForm(problem, 'name');
  const ofPassword = ofForm(problem, 'current');
  const [withPassword, sessions] = await Promise.all([hasPassword(ctx, viewer), sessionsModel(ctx, viewer)]);
  const model = {
    address: viewer.email,
    email: await emailModel(ctx, viewer),
    administers: await isAdministrator(ctx, viewer),
    profile: { problem: ofName, fields: buildFields({ name: { ...NAME, value: viewer.name } }, ofName) },
    password: withPassword
      ? {
          problem: ofPassword,
          fields: buildFields(
            {
              current: { ...PASSWORD, label: 'Current password' },
              password: { ...NEW_PASSWORD, label: 'New password' },
            },
            ofPassword,
          ),
        }
      : null,
    passkeys: await passkeysModel(ctx, viewer),
    ...(await linkedAccountsModel(ctx, viewer, withPassword)),
    themes: themeChoices(readTheme(cookies.read('theme'))),
    preferences: preferenceChoices(preferences),
    sessions,
  };
  return { kind: 'page', view: 'account/account', title: 'Account', model, section: 'account' };
});

export const postName = formRoute(
  { path: '/account/name', form: z.object({ name: z.string() }), redisplay: getAccount.show },
  async (ctx, { viewer, form }) => {
    const { name } = await changeName(ctx, viewer, form.name);
    return redirect('/account', name === null ? 'Name removed' : 'Name updated');
  },
);

export const postPassword = formRoute(
  {
    path: '/account/password',
    form: z.object({ current: z.string(), password: z.string() }),
    rateLimit: 'change-password',
    redisplay: getAccount.show,
  },
  async (ctx, { viewer, form, cookies }) => {
    const { token } = await changePassword(ctx, viewer, form);
    cookies.set('session', token);
    return redirect('/account', 'Password changed. Your other sessions were signed out.');
  },
);
