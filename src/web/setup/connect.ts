import { z } from 'zod';
import { isAdministrator } from '../../auth/manage-accounts.ts';
import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { isOutOfReach, webAddress } from '../../github/app/addresses.ts';
import {
  beginSetUp,
  finishSetUp,
  readConnection,
  type Connection,
  type ManifestForm,
} from '../../github/app/set-up-app.ts';
import { listInstallations, type LinkableInstallation } from '../../github/sign-in/list-linkable.ts';
import { isSignInConfigured } from '../../github/sign-in/sign-in-with-github.ts';
import { askGitHub } from '../ask-github.ts';
import { buildField, toProblem, type Problem } from '../form-field.ts';
import { pageRoute, redirect, withQuery, type Reply } from '../web-route.ts';
import { buildSteps } from './first-check.ts';

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
async function readInstallations(ctx: Context, viewer: Viewer) {
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

const Choice = z.object({ organization: z.string().trim().optional().catch(undefined) });

const PAGE = { kind: 'page', section: 'setup' } as const;

/** The service's URL if GitHub can't reach it. GitHub posts webhooks to that URL, so there would be none. */
function findUnreachable({ config }: Context): string | null {
  return isOutOfReach(config) ? config.publicUrl : null;
}

type Connected = Extract<Connection, { kind: 'environment' | 'stored' }>;

async function showConnected(ctx: Context, viewer: Viewer, connection: Connected): Promise<Reply> {
  const installations = await readInstallations(ctx, viewer);
  const model = {
    environment: connection.kind === 'environment',
    connection,
    installations,
    steps: buildSteps(connection, findUnreachable(ctx), installations.rows.length),
  };
  return { ...PAGE, view: 'setup/connected', title: 'GitHub is connected', model };
}

type Begun = { form: ManifestForm | null; problem: Problem | null };

/** A name that no organization can have is reported at its field. Then there is no form to post to GitHub. */
async function begin(ctx: Context, viewer: Viewer, organization: string | null): Promise<Begun> {
  try {
    return { form: await beginSetUp(ctx, viewer, organization), problem: null };
  } catch (error) {
    const problem = toProblem(error, { organization: organization ?? '' });
    if (problem?.fields['organization'] === undefined) throw error;
    return { form: null, problem };
  }
}

async function showUnconnected(
  ctx: Context,
  viewer: Viewer,
  connection: Connection,
  organization: string | null,
): Promise<Reply> {
  const unreachable = findUnreachable(ctx);
  const { form, problem } =
    unreachable === null ? await begin(ctx, viewer, organization) : { form: null, problem: null };
  const field = {
    name: 'organization',
    label: 'Organization',
    value: organization,
    note: 'The name of the organization on GitHub. Leave empty to create the app in your personal account.',
    attributes: { maxlength: 39, autocomplete: 'off', spellcheck: 'false' },
  };
  const model = {
    form,
    unreachable,
    lost: connection.kind === 'lost' ? connection.name : null,
    owner: organization ?? 'your personal account',
    organization: buildField(field, problem),
    steps: buildSteps(connection, unreachable, null),
  };
  const formOrigin = new URL(webAddress(ctx.config)).origin;
  return { ...PAGE, view: 'setup/connect', title: 'Connect GitHub', model, formOrigin, status: problem?.status ?? 200 };
}

/** Connects the service to GitHub with GitHub's app manifest flow. */
export const getSetup = pageRoute({ path: '/setup', query: Choice }, async (ctx, { viewer, query }) => {
  if (!(await isAdministrator(ctx, viewer))) {
    return { ...PAGE, view: 'setup/not-yours', title: 'Connect GitHub', model: {}, status: 403 };
  }
  const connection = await readConnection(ctx, viewer);
  const isConnected = connection.kind === 'environment' || connection.kind === 'stored';
  if (isConnected) return showConnected(ctx, viewer, connection);
  return showUnconnected(ctx, viewer, connection, query.organization || null);
});

const Returned = z
  .object({ code: z.string().min(1).max(200), state: z.string().min(1).max(2000) })
  .nullable()
  .catch(null);

/** GitHub redirects here. */
export const getSetupCallback = pageRoute(
  { path: '/setup/callback', query: Returned },
  async (ctx, { viewer, query }) => {
    if (query === null) throw invalid('The code or state parameter from GitHub is missing');
    await finishSetUp(ctx, viewer, query);
    return redirect('/setup', 'GitHub is connected');
  },
);
