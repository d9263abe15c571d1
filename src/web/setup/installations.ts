import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { webAddress } from '../../github/app/addresses.ts';
import { listInstallations, type LinkableInstallation } from '../../github/sign-in/list-linkable.ts';
import { isSignInConfigured } from '../../github/sign-in/sign-in-with-github.ts';
import { askGitHub } from '../ask-github.ts';
import { withQuery } from '../pager.ts';

const signIn = (next: string) => ({ href: withQuery('/api/auth/github', { next }), label: 'Sign in with GitHub' });

/** The GitHub page where the owner chooses the repositories of the installation. */
function settingsUrl(web: string, { accountLogin, accountType, installationId }: LinkableInstallation): string {
  const owner = accountType === 'Organization' ? `/organizations/${encodeURIComponent(accountLogin)}` : '';
  return `${web}${owner}/settings/installations/${installationId}`;
}

/** @param next the page to come back to, if signing in helps */
export async function whyNoInstallation(ctx: Context, next: string) {
  if (await isSignInConfigured(ctx)) {
    return { note: 'Sign in with GitHub to see your repositories.', link: signIn(next) };
  }
  if (!ctx.config.allowRegistration) return { note: 'The app is not installed anywhere yet.', link: null };
  const note =
    'Repositories can’t be linked yet. Set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET, or close registration with ALLOW_REGISTRATION=false.';
  return { note, link: null };
}

/** The installations that the viewer may link. If GitHub fails, a note says so, and the page still works. */
export async function readInstallations(ctx: Context, viewer: Viewer) {
  const list = async () => listInstallations(ctx, viewer);
  const answer = await askGitHub(ctx, 'GitHub did not list the installations', list);
  const { found, failure } = answer;
  if (found === null) return { rows: [], note: failure, link: answer.isRefused ? signIn('/setup') : null };
  if (found.length === 0) return { rows: [], ...(await whyNoInstallation(ctx, '/setup')) };
  const web = webAddress(ctx.config);
  const rows = found.map((each) => ({
    login: each.accountLogin,
    repositories: each.repos.length,
    href: settingsUrl(web, each),
  }));
  return { rows, note: null, link: null };
}
