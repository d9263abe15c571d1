import { z } from 'zod';
import { hasUsers } from '../../auth/find-account.ts';
import { offerPasskeySignIn } from '../../auth/passkeys/change-passkeys.ts';
import { forgotPassword, resetPassword } from '../../auth/passwords/change-password.ts';
import { logIn } from '../../auth/passwords/log-in.ts';
import { PASSWORD_MIN_CHARACTERS } from '../../auth/passwords/password.ts';
import { register } from '../../auth/register.ts';
import { redeemSignInLink } from '../../auth/sign-in-link.ts';
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { isSignInConfigured } from '../../github/sign-in/sign-in-with-github.ts';
import { knowBrowser, signBrowserIn, type Cookies } from '../../http/cookies.ts';
import { ownPath } from '../../http/own-path.ts';
import { isIssuerDown } from '../../oidc/issuer.ts';
import { buildFields, type FieldSpec } from '../form-field.ts';
import { publicFormRoute, publicPageRoute, redirect, withQuery, type Reply } from '../web-route.ts';

type Next = { next: string | null };

/** The ways to sign in without a password. `next`: where each leads. */
export async function otherWays(ctx: Context, next: Next) {
  const { oidc, passwordSignIn } = ctx.config;
  const [withGitHub, isDown] = await Promise.all([isSignInConfigured(ctx), oidc !== null && isIssuerDown(ctx)]);
  return {
    isAlternative: passwordSignIn,
    oidc: oidc === null ? null : { label: oidc.label, href: withQuery('/api/auth/oidc', next), isDown },
    gitHub: withGitHub ? withQuery('/api/auth/github', next) : null,
  };
}

/** Instead of the pages that ask for a password, or set one, where nobody signs in with one. */
export function showPasswordsOff(title: string, next: Next = { next: null }): Reply {
  const model = { signIn: withQuery('/sign-in', next) };
  return { kind: 'page', title, width: 'narrow', view: 'account/passwords-off', model, status: 403 };
}

/** All forms that ask for these fields use the same labels and the same hints to password managers. */
export const EMAIL: FieldSpec = {
  label: 'Email address',
  type: 'email',
  required: true,
  attributes: { autocomplete: 'username', maxlength: EMAIL_MAX_LENGTH, spellcheck: 'false' },
};

export const PASSWORD: FieldSpec = {
  label: 'Password',
  type: 'password',
  required: true,
  attributes: { autocomplete: 'current-password' },
};

/** The browser does not enforce the limits, because it counts neither bytes nor characters in the way the rule does. */
export const NEW_PASSWORD: FieldSpec = {
  ...PASSWORD,
  note: `At least ${PASSWORD_MIN_CHARACTERS} characters.`,
  attributes: { autocomplete: 'new-password' },
};

export const NAME: FieldSpec = {
  label: 'Name',
  note: 'Shown next to your approvals. If empty, your email address is shown.',
  attributes: { autocomplete: 'name', maxlength: NAME_MAX_LENGTH },
};

/** What {@link NAME}, {@link EMAIL} and {@link NEW_PASSWORD} send. */
export const RegisterForm = z.object({ name: z.string(), email: z.string(), password: z.string() });

/** Where to go after signing in. Anything but a path of this service is ignored. */
export const NextQuery = z.object({ next: z.string().max(1000).optional().catch(undefined) });

/** This value is passed from one account page to the next. It is omitted for the start page, which is the default. */
function readNext({ next }: z.output<typeof NextQuery>): { next: string | null } {
  const path = ownPath(next);
  return { next: path === '/' ? null : path };
}

const Form = z.object({ email: z.string(), password: z.string() });

/** The form. Whoever is signed in is led on, unless something was refused. */
export const getSignIn = publicPageRoute(
  { path: '/sign-in', query: NextQuery },
  async (ctx, { viewer, query }, problem) => {
    if (viewer !== null && problem === null) return redirect(ownPath(query.next));
    const { allowRegistration, passwordSignIn } = ctx.config;
    const next = readNext(query);
    const [ways, isFresh] = await Promise.all([otherWays(ctx, next), hasUsers(ctx).then((has) => !has)]);
    const passkey = isFresh ? null : offerPasskeySignIn(ctx);
    const model = {
      fields: buildFields({ email: { ...EMAIL, autofocus: true }, password: PASSWORD }, problem),
      problem,
      action: withQuery('/sign-in', next),
      passwords: passwordSignIn,
      ways,
      passkey: passkey && {
        sealed: passkey.sealed,
        options: JSON.stringify(passkey.options),
        action: withQuery('/passkey-sign-in', next),
      },
      register: allowRegistration ? withQuery('/register', next) : null,
      isFresh,
    };
    return { kind: 'page', view: 'account/sign-in', title: 'Sign in', model, width: 'narrow' };
  },
);

export const postSignIn = publicFormRoute(
  { path: '/sign-in', query: NextQuery, form: Form, rateLimit: 'login', redisplay: getSignIn.show },
  async (ctx, { form, query, cookies }) => {
    signBrowserIn(ctx, cookies, await logIn(ctx, form));
    return redirect(ownPath(query.next));
  },
);

const Params = z.object({ token: z.string().min(1).max(200) });

type LinkRequest = { params: z.output<typeof Params>; query: z.output<typeof NextQuery>; cookies: Cookies };

async function redeem(ctx: Context, { params, query, cookies }: LinkRequest): Promise<Reply> {
  try {
    signBrowserIn(ctx, cookies, await redeemSignInLink(ctx, params.token));
    return redirect(ownPath(query.next));
  } catch (error) {
    if (!(error instanceof AppError) || error.details.code !== 'sign_in_link_invalid') throw error;
    const model = { signIn: withQuery('/sign-in', readNext(query)) };
    return { kind: 'page', view: 'account/link-lapsed', title: 'Sign in', model, status: 400, width: 'narrow' };
  }
}

/**
 * A link on another person's page could sign a visitor in to that person's account, and a prefetch would use up the
 * link. In these cases we ask first.
 */
export const getSignInLink = publicPageRoute(
  { path: '/sign-in/:token', params: Params, query: NextQuery },
  async (ctx, request) => {
    if (request.deliberate) return redeem(ctx, request);
    const model = { action: request.url, viewerEmail: request.viewer?.email ?? null };
    return { kind: 'page', view: 'account/confirm-link', title: 'Sign in', model, width: 'narrow' };
  },
);

export const postSignInLink = publicFormRoute({ path: '/sign-in/:token', params: Params, query: NextQuery }, redeem);

export const getRegister = publicPageRoute(
  { path: '/register', query: NextQuery },
  async (ctx, { viewer, query }, problem) => {
    if (viewer !== null && problem === null) return redirect(ownPath(query.next));
    const next = readNext(query);
    const signIn = withQuery('/sign-in', next);
    const page = { kind: 'page', title: 'Create an account', width: 'narrow' } as const;
    if (!ctx.config.passwordSignIn) return showPasswordsOff(page.title, next);
    if (!ctx.config.allowRegistration) {
      return { ...page, view: 'account/registration-closed', model: { signIn }, status: 403 };
    }
    const [ways, isFresh] = await Promise.all([otherWays(ctx, next), hasUsers(ctx).then((has) => !has)]);
    const fields = buildFields({ name: { ...NAME, autofocus: true }, email: EMAIL, password: NEW_PASSWORD }, problem);
    const model = { fields, problem, action: withQuery('/register', next), signIn, ways, isFresh };
    return { ...page, view: 'account/register', model };
  },
);

export const postRegister = publicFormRoute(
  { path: '/register', query: NextQuery, form: RegisterForm, rateLimit: 'register', redisplay: getRegister.show },
  async (ctx, { form, query, cookies }) => {
    signBrowserIn(ctx, cookies, await register(ctx, form));
    return redirect(ownPath(query.next), 'Welcome to Pixelgate');
  },
);

const ForgotForm = z.object({ email: z.string().trim().min(1, 'is required').max(1000) });

const PAGE = { kind: 'page', title: 'Reset your password', width: 'narrow' } as const;

export const getForgotPassword = publicPageRoute({ path: '/forgot-password' }, async (ctx, { viewer }, problem) => {
  if (!ctx.config.passwordSignIn) return showPasswordsOff(PAGE.title);
  const fields = buildFields({ email: { ...EMAIL, autofocus: true, value: viewer?.email ?? null } }, problem);
  return { ...PAGE, view: 'account/forgot-password', model: { fields, problem } };
});

/** The answer is the same whether or not the account exists. */
export const postForgotPassword = publicFormRoute(
  { path: '/forgot-password', form: ForgotForm, rateLimit: 'forgot-password', redisplay: getForgotPassword.show },
  async (ctx, { form }) => {
    await forgotPassword(ctx, form);
    return { ...PAGE, view: 'account/reset-link-sent', model: { email: form.email } };
  },
);

/** The token is in the URL of the link in the e-mail. `Referrer-Policy: same-origin` hides it from other sites. */
const ResetQuery = z.object({ token: z.string().max(1000).optional().catch(undefined) });
const ResetForm = z.object({ token: z.string(), password: z.string() });

const RESET_PAGE = { kind: 'page', title: 'Choose a new password', width: 'narrow' } as const;

export const getResetPassword = publicPageRoute(
  { path: '/reset-password', query: ResetQuery },
  async (ctx, { query }, problem) => {
    if (!ctx.config.passwordSignIn) return showPasswordsOff(RESET_PAGE.title);
    const { token } = query;
    if (token === undefined || problem?.fields['token'] !== undefined) {
      return { ...RESET_PAGE, view: 'account/reset-link-lapsed', model: {}, status: 400 };
    }
    const password = { ...NEW_PASSWORD, label: 'New password', autofocus: true };
    const model = { fields: buildFields({ password }, problem), problem, token };
    return { ...RESET_PAGE, view: 'account/reset-password', model };
  },
);

/** The form's action URL contains the token too, so that people can try again after a rejected password. */
export const postResetPassword = publicFormRoute(
  {
    path: '/reset-password',
    query: ResetQuery,
    form: ResetForm,
    rateLimit: 'reset-password',
    redisplay: getResetPassword.show,
  },
  async (ctx, { form, cookies }) => {
    const { email } = await resetPassword(ctx, form);
    knowBrowser(ctx, cookies, email);
    return redirect('/sign-in', 'Password changed. Sign in with your new password.');
  },
);
