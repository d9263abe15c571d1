import type { Context } from '../../context.ts';
import { isSignInConfigured } from '../../github/sign-in/sign-in-with-github.ts';
import { isIssuerDown } from '../../oidc/issuer.ts';
import { withQuery } from '../pager.ts';
import type { Reply } from '../reply.ts';

type Next = { next: string | null };

/** The ways in other than a password, as the pages before a sign-in offer them. `next`: where each leads to. */
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
