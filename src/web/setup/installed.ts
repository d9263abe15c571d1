import { z } from 'zod';
import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { readCredentials } from '../../github/app/credentials.ts';
import { findSiteAddress } from '../../github/first-check/find-site-address.ts';
import { listRepositories, type LinkableRepository } from '../../github/sign-in/list-linkable.ts';
import { getSuiteFor, listSuites } from '../../suites/read-suite.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { askGitHub } from '../ask-github.ts';
import { listPermissions } from '../permissions.ts';
import { choiceValue, linkSuite, readChoice } from '../suites/link-form.ts';
import { formRoute, pageRoute, redirect, withQuery } from '../web-route.ts';
import { whyNoInstallation } from './connect.ts';

/** How many repositories are shown. The others can be found on a suite's Repository page. */
const MOST_SHOWN = 100;
/** How many of the viewer's suites are read. */
const MOST_SUITES = 1000;

const PATH = '/setup/installed';

/** The parameters that GitHub adds to the URL. */
const Query = z.object({
  installation_id: typedNumber(1).optional().catch(undefined),
  setup_action: z.string().optional().catch(undefined),
});
type Query = z.output<typeof Query>;

const isLinkedTo = ({ codehost }: SuiteForViewer, { fullName }: LinkableRepository) =>
  codehost !== null && `${codehost.owner}/${codehost.repo}`.toLowerCase() === fullName.toLowerCase();

function toRow(repository: LinkableRepository, suites: SuiteForViewer[]) {
  const { fullName, installationId, private: isPrivate } = repository;
  const linked = suites.filter((suite) => isLinkedTo(suite, repository));
  return {
    name: fullName,
    private: isPrivate,
    suites: linked.map(({ id, name }) => ({ name, href: `/suites/${id}/first-check` })),
    create: withQuery('/setup/create', { repository: choiceValue(installationId, fullName) }),
  };
}

/** Existing suites are linked with one form, because a list of all suites at each repository would be long. */
function linkForm(repositories: LinkableRepository[], suites: SuiteForViewer[]) {
  const free = suites.filter((suite) => suite.codehost === null && listPermissions(suite.access).link);
  if (free.length === 0 || repositories.length === 0) return null;
  return {
    action: PATH,
    suites: free.slice(0, MOST_SHOWN).map(({ id, name }) => ({ value: id, label: name })),
    repositories: repositories.map(({ installationId, fullName }) => ({
      value: choiceValue(installationId, fullName),
      label: fullName,
    })),
  };
}

async function readGranted(ctx: Context, viewer: Viewer, query: Query) {
  const none = { rows: [], left: 0, note: null, link: null, form: null };
  const back = withQuery(PATH, { installation_id: query.installation_id });
  if ((await readCredentials(ctx)) === null) {
    return { ...none, note: 'Pixelgate is not connected to GitHub.', link: { href: '/setup', label: 'GitHub setup' } };
  }
  const list = async () => listRepositories(ctx, viewer, query.installation_id);
  const answer = await askGitHub(ctx, 'GitHub did not list the repositories', list);
  const { found, failure } = answer;
  if (found === null) {
    const { link } = answer.isRefused ? await whyNoInstallation(ctx, back) : none;
    return { ...none, note: failure, link };
  }
  if (found.length === 0) return { ...none, ...(await whyNoInstallation(ctx, back)) };
  const shown = found.slice(0, MOST_SHOWN);
  const { items: suites } = await listSuites(ctx, viewer, {}, { limit: MOST_SUITES, after: null });
  const rows = shown.map((repository) => toRow(repository, suites));
  return { ...none, rows, left: found.length - shown.length, form: linkForm(shown, suites) };
}

/** GitHub sends people here after they install the App. Shows only what the viewer's own GitHub account sees. */
export const getInstalled = pageRoute({ path: PATH, query: Query }, async (ctx, { viewer, query }, problem) => {
  const granted = await readGranted(ctx, viewer, query);
  return {
    kind: 'page',
    view: 'setup/installed',
    title: 'Repositories',
    model: { ...granted, problem, isRequested: query.setup_action === 'request' },
    section: 'setup',
    width: 'narrow',
  };
});

const Choice = z.string().transform((value, check) => {
  const link = readChoice(value);
  if (link === null) check.addIssue('choose a repository');
  return link ?? z.NEVER;
});

/** Links a repository to an existing suite, which has none. */
export const postInstalled = formRoute(
  {
    path: PATH,
    query: Query,
    form: z.object({ suiteId: z.guid('choose a suite'), choice: Choice }),
    redisplay: getInstalled.show,
  },
  async (ctx, { viewer, form: { suiteId, choice: link } }) => {
    await linkSuite(ctx, await getSuiteFor(ctx, viewer, suiteId, 'suite.edit'), link, '');
    return redirect(`/suites/${suiteId}/first-check`, `Linked to ${link.owner}/${link.repo}`);
  },
);

/** Fills in the form for a new suite with what GitHub knows about the repository. */
export const getCreate = pageRoute(
  { path: '/setup/create', query: z.object({ repository: z.string().max(300) }) },
  async (ctx, { viewer, query }) => {
    const link = readChoice(query.repository);
    const seen = link === null ? [] : await listRepositories(ctx, viewer, link.installationId);
    const wanted = `${link?.owner}/${link?.repo}`.toLowerCase();
    const repository = seen.find(({ fullName }) => fullName.toLowerCase() === wanted);
    if (repository === undefined) throw notFound('Repository');
    const baseUrl = await findSiteAddress(ctx, repository);
    const { installationId, fullName, repo } = repository;
    const filled = { baseUrl, name: repo, repository: choiceValue(installationId, fullName) };
    return redirect(withQuery('/suites/new', filled));
  },
);
