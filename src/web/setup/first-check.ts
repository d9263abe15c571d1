import { z } from 'zod';
import type { Context } from '../../context.ts';
import { readFirstCheck } from '../../github/first-check/read-first-check.ts';
import { listOpenPulls, MOST_PULLS, tryPullRequest } from '../../github/first-check/try-pull-request.ts';
import { onSuite } from '../../http/acts-on.ts';
import { PULL_REQUEST_MAX } from '../../runs/run.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { askGitHub } from '../ask-github.ts';
import { setupWait } from '../live-poll.ts';
import { listPermissions } from '../permissions.ts';
import { atSettings } from '../suites/settings-tabs.ts';
import { suitePage } from '../suites/suite-head.ts';
import { formRoute, pageRoute, redirect, withQuery } from '../web-route.ts';
import { buildFirstCheckSteps } from './first-check-steps.ts';

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
    return suitePage(ctx, suite, atSettings(suite, 'pulls'), {
      view: 'setup/first-check',
      title: 'First check',
      model,
    });
  },
);

/** Starts a check on an open pull request. */
export const postFirstCheck = formRoute(
  {
    path: '/suites/:id/first-check',
    ...onSuite('suite.run'),
    form: z.object({ number: typedNumber(1, PULL_REQUEST_MAX) }),
    redisplay: getFirstCheck.show,
  },
  async (ctx, { suite, form }) => {
    const runId = await tryPullRequest(ctx, suite, form.number);
    return redirect(`/runs/${runId}`, `Started a check for pull request #${form.number}`);
  },
);
