import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Connection } from '../../github/app/set-up-app.ts';
import type { Finding, FindingName } from '../../github/doctor/doctor-facts.ts';
import { readFirstCheck, type FirstCheck } from '../../github/first-check/read-first-check.ts';
import { listOpenPulls, MOST_PULLS, tryPullRequest } from '../../github/first-check/try-pull-request.ts';
import { onSuite } from '../../http/acts-on.ts';
import { INTEGER_MAX, isInFlight, sumResults } from '../../runs/run.ts';
import { nameLink } from '../../suites/record-changes.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { assertLinked } from '../../suites/update-suite.ts';
import { formatCount } from '../../text/format.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { askGitHub } from '../ask-github.ts';
import type { Badge } from '../badge.ts';
import { setupWait } from '../live-poll.ts';
import { listPermissions } from '../permissions.ts';
import { atSettings, suitePage } from '../suites/suite-head.ts';
import { formRoute, pageRoute, redirect, withQuery } from '../web-route.ts';

const Query = z.object({ looks: typedNumber(0, 100_000).catch(0) });

/** @param looks how often the open page has asked already */
async function readSteps(ctx: Context, suite: SuiteFor, looks: number) {
  const href = `/suites/${suite.id}`;
  const again = `${href}/first-check`;
  const seconds = setupWait(looks);
  const poll = seconds === null ? null : { href: withQuery(again, { looks: looks + 1 }), seconds };
  const read = async () => buildFirstCheckSteps(await readFirstCheck(ctx, suite), href);
  const { found, failure } = await askGitHub(ctx, 'could not examine the setup of a suite', read, {
    suiteId: suite.id,
  });
  const steps = found ?? [];
  const isDone = failure === null && steps.every(({ state }) => state === 'done');
  return { steps, failure, poll: isDone ? null : poll, isDone, again };
}

async function readPulls(ctx: Context, suite: SuiteFor) {
  if (suite.codehost === null || !listPermissions(suite.access).run) return null;
  const list = async () => listOpenPulls(ctx, suite);
  const answer = await askGitHub(ctx, 'GitHub did not list the open pull requests', list, { suiteId: suite.id });
  const signIn = withQuery('/api/auth/github', { next: `/suites/${suite.id}/first-check` });
  return {
    pulls: answer.found ?? [],
    linked: nameLink(suite.codehost),
    most: MOST_PULLS,
    failure: answer.failure,
    signIn: answer.found === null && answer.isRefused ? signIn : null,
  };
}

/** What is still missing for the first check. The list updates itself. */
export const getFirstCheck = pageRoute(
  { path: '/suites/:id/first-check', ...onSuite('suite.read'), query: Query },
  async (ctx, { suite, query, htmx }, problem) => {
    if (htmx) {
      const model = { progress: await readSteps(ctx, suite, query.looks) };
      return { kind: 'fragment', view: 'setup/first-check-steps', model };
    }
    const [progress, open] = await Promise.all([readSteps(ctx, suite, 0), readPulls(ctx, suite)]);
    const model = { problem, progress, open, path: `/suites/${suite.id}/first-check` };
    const at = { ...atSettings(suite, 'pulls'), nested: true };
    return suitePage(ctx, suite, at, { view: 'setup/first-check', title: 'First check', model });
  },
);

/** Starts a check on an open pull request. `linked`: the repository that the page listed them of. */
export const postFirstCheck = formRoute(
  {
    path: '/suites/:id/first-check',
    ...onSuite('suite.run'),
    form: z.object({ number: typedNumber(1, INTEGER_MAX), linked: z.string().optional() }),
    redisplay: getFirstCheck.show,
  },
  async (ctx, { suite, form: { number, linked } }) => {
    if (linked !== undefined) assertLinked(suite, linked);
    const runId = await tryPullRequest(ctx, suite, number);
    return redirect(`/runs/${runId}`, `Started a check for pull request #${number}`);
  },
);

/** A step from a new service to the first checked pull request, as far as it is known here. */
type Step = { title: string; text: string; isDone: boolean; link: { href: string; label: string } | null };

const BADGES = {
  done: { label: 'Done', tone: 'success', icon: 'check-circle' },
  now: { label: 'Next', tone: 'accent', icon: 'arrow-right' },
  later: { label: 'Later', tone: 'muted', icon: 'circle' },
} satisfies Record<string, Badge>;

function inOrder(steps: Step[]) {
  const now = steps.findIndex(({ isDone }) => !isDone);
  return steps.map(({ isDone, ...step }, place) => {
    const state = isDone ? 'done' : place === now ? 'now' : 'later';
    return { ...step, state, isNow: place === now, badge: BADGES[state] };
  });
}

/**
 * @param unreachable the service's URL if GitHub can't reach it, otherwise null
 * @param installations the number of known installations. Null: unknown.
 */
export function buildSteps(connection: Connection, unreachable: string | null, installations: number | null) {
  const isConnected = connection.kind === 'environment' || connection.kind === 'stored';
  const installLink = connection.kind === 'stored' ? connection.installUrl : null;
  return inOrder([
    {
      title: 'A URL that GitHub can reach',
      text:
        unreachable === null
          ? 'GitHub sends webhooks about pull requests and previews to this URL.'
          : `PUBLIC_URL is ${unreachable}, which GitHub can’t reach. Set it to a URL that GitHub can reach, such as that of a tunnel, and restart.`,
      isDone: unreachable === null,
      link: null,
    },
    {
      title: 'Your own GitHub App',
      text: 'GitHub shows the permissions, creates the app, and sends you back here. The credentials are stored encrypted.',
      isDone: isConnected,
      link: null,
    },
    {
      title: 'Install the app',
      text: 'Choose the repositories that the app can access. You can change this on GitHub at any time.',
      isDone: isConnected && installations !== null && installations > 0,
      link: installLink === null ? null : { href: installLink, label: 'Install on GitHub' },
    },
    {
      title: 'Link a repository to a suite',
      text: 'Create a suite for each repository, or link one that exists. After that, its pull requests get a check.',
      isDone: false,
      link: isConnected ? { href: '/setup/installed', label: 'View repositories' } : null,
    },
  ]);
}

/** The doctor's text for the first of these findings that is not ok, or else for the last one. */
function tellOf({ findings }: FirstCheck, names: FindingName[]): Pick<Step, 'text' | 'isDone'> {
  const told = names.flatMap((name) => findings.get(name) ?? []);
  const wrong = told.find(({ status }) => status !== 'ok');
  const finding: Finding | undefined = wrong ?? told.at(-1);
  if (finding === undefined) return { text: 'Link a repository to check this.', isDone: false };
  return {
    text: [finding.message, finding.remedy].filter((part) => part !== null).join(' '),
    isDone: wrong === undefined,
  };
}

function baselineStep({ pages, baselines }: FirstCheck, suiteHref: string): Step {
  const link = { href: suiteHref, label: 'View pages' };
  const title = 'Pages and their baselines';
  if (pages === 0) {
    return { title, text: 'No pages are tracked. Select pages, then run the suite once.', isDone: false, link };
  }
  const tracked = `${formatCount(pages, 'tracked page')}, ${formatCount(baselines, 'baseline')}.`;
  if (baselines > 0) return { title, text: tracked, isDone: true, link: null };
  return { title, text: `${tracked} The first run captures the baselines.`, isDone: false, link };
}

function checkStep({ run }: FirstCheck): Step {
  const title = 'The first check';
  if (run === null) {
    return { title, text: 'Open or update a pull request, or try it on an open one.', isDone: false, link: null };
  }
  const { prNumber } = run.git ?? {};
  const link = { href: `/runs/${run.id}`, label: 'View run' };
  const isOver = !isInFlight(run.status) && sumResults(run) > 0;
  const number = prNumber === undefined ? '' : ` #${prNumber}`;
  const text = isOver
    ? `Pull request${number} has its check.`
    : `Waiting for the first screenshot of pull request${number}.`;
  return { title, text, isDone: isOver, link };
}

/** What is missing for a suite's first check. Pure. */
export function buildFirstCheckSteps(facts: FirstCheck, suiteHref: string) {
  return inOrder([
    {
      title: 'Repository',
      ...tellOf(facts, ['app', 'link']),
      link: { href: `${suiteHref}/repository`, label: 'View repository' },
    },
    { title: 'Access and permissions', ...tellOf(facts, ['permissions', 'installation']), link: null },
    { title: 'Events from GitHub', ...tellOf(facts, ['events', 'webhook', 'deliveries']), link: null },
    baselineStep(facts, suiteHref),
    { title: 'A preview for each pull request', ...tellOf(facts, ['preview']), link: null },
    { title: 'A branch rule that requires the check', ...tellOf(facts, ['required_check']), link: null },
    checkStep(facts),
  ]);
}
