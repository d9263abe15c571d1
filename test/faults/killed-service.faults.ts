import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startReceiver, type Receiver } from '../notices/receiver.ts';
import type { Statement } from '../support/database-proxy.ts';
import { pullRequest } from '../support/pull-request-events.ts';
import { pageOf, showBadge, startJourney, type Journey } from '../support/pull-request-journey.ts';
import { ID, readState } from './fault-world.ts';
import { PARTS, startKeptService, type KeptService, type Part } from './kept-service.ts';
import { followPlan, randomKills, STEPS, type Kill, type KillPlan, type Moment, type Step } from './kill-plan.ts';
import { until } from './long-run.ts';

/*
 * A web and a worker process are killed during the life of a pull request, and started again, again and again. In the end
 * everything is as without the kills: runs, results, versions, logs, decisions, events, the check at GitHub. Nothing is sent
 * again once it was answered, and a webhook of the suite hears of each event, in order. `SEED=7 ROUNDS=1` repeats one round.
 */

const LONG_MS = 600_000;
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 20);
/** A page that is killed five times counts as what kills the service. */
const MOST_KILLS = 4;
/** Clocks queue them, whatever else happens. */
const OF_CLOCKS = ['redeliver-missed'];

let service: KeptService;
let journey: Journey;
let receiver: Receiver;
let pulls = 0;

/** As GitHub and people do: what was not answered because the service was killed is sent again. */
async function send(act: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await service.up();
    const { web } = service.kills;
    try {
      await act();
      return;
    } catch (error) {
      if (service.kills.web === web) throw error;
    }
  }
}

async function atRest(): Promise<void> {
  await until(async () => {
    const jobs = await journey
      .db('graphile_worker.jobs')
      .whereNotIn('task_identifier', [...OF_CLOCKS, 'expire-preview']);
    const waiting = await journey.db('webhook_deliveries').whereNull('handled_at').whereNotNull('subject');
    return jobs.length + waiting.length === 0;
  });
}

/** Leads a new pull request to its merge. @returns its number and head */
async function leadToMerge(plan: KillPlan): Promise<{ number: number; head: string }> {
  pulls += 1;
  const pull = pullRequest(journey, 70_000 + pulls);
  const head = pull.commit();
  const reach = (step: Step) => plan.reach(step);
  let show = (): void => {};
  const shown = new Promise<void>((resolve) => (show = resolve));
  const asked = new Promise<void>((resolve) => showBadge(journey.preview, shown, resolve));

  const opened = pull.event('opened', { headSha: head });
  await send(() => journey.tell(opened));
  reach('the webhook is taken');
  await pull.check(head, 'queued');
  reach('the check awaits a preview');
  const deployed = pull.deployed(head);
  await send(() => journey.tell(deployed));
  reach('the preview is announced');
  await asked;
  reach('a page is being captured');
  show();
  reach('the page has loaded');
  const check = await pull.check(head, 'completed/action_required');
  reach('the check asks for a review');
  await send(() => journey.api().call('POST', `/test-runs/${check.external_id}/approve-visuals`, {}));
  reach('the approval is taken');
  await pull.check(head, 'completed/success');
  reach('the check is green');
  const merged = pull.event('merged', { headSha: head, after: 3600, mergeCommitSha: head });
  await send(() => journey.tell(merged));
  reach('the merge is taken');
  await until(async () => {
    const version = await journey.db('baseline_versions').where({ pr_number: pull.number }).first('id');
    return version !== null;
  });
  reach('the merge is a version');
  await atRest();
  return { number: pull.number, head };
}

/** What a webhook of the suite was told, in the order in which it first heard it. A message that came twice is one. */
function readTold(): string[] {
  const messages = receiver.received.map(
    ({ headers, body }) => [headers['webhook-id'], JSON.parse(body).type] as const,
  );
  return [...new Map(messages).values()];
}

/** `told`: kinds of events, as the webhook heard them. */
type Outcome = { told: string[] };

/** What is stored and what GitHub shows, the same for two lives in which the same happened. */
async function readOutcome(number: number, head: string): Promise<Outcome> {
  // What the clocks' jobs saw at GitHub.
  await journey.db('webhook_deliveries').where({ polled: true }).delete();
  const state = await readState(journey, journey.suiteId, number);
  const checks = pullRequest(journey, number)
    .checks(head)
    .map(({ name, status, conclusion, output, actions }) => ({ name, status, conclusion, output, actions }));
  const text = JSON.stringify({ ...state, checks: JSON.parse(JSON.stringify(checks).replace(ID, 'ID')) });
  const named = text
    .replaceAll(head, 'HEAD')
    .replaceAll(head.slice(0, 7), 'HEAD')
    .replace(/\?expires=[^)]+/g, '');
  const outcome = JSON.parse(named);
  // Of two pages, either may be the first. Which of the clocks' jobs are there is chance.
  outcome.logs.sort((one: any, other: any) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  outcome.told = readTold();
  outcome.jobs = outcome.jobs.filter(({ taskIdentifier }: any) => !OF_CLOCKS.includes(taskIdentifier));
  return outcome;
}

type Life = { outcome: Outcome; mistakes: string[]; wasKilled: boolean };

/** The life of a pull request of a new suite, with these kills. */
async function live(kills: readonly Kill[]): Promise<Life> {
  await journey.newSuite();
  await atRest();
  await journey.db.raw('delete from graphile_worker._private_jobs');
  await journey.db('webhook_deliveries').delete();
  receiver.received.length = 0;
  const hook = { kind: 'WEBHOOK', name: 'Ours', url: receiver.url };
  await journey.api().call('POST', `/test-suites/${journey.suiteId}/targets`, hook, 201);
  const plan = followPlan(service, kills);
  const { number, head } = await Promise.race([leadToMerge(plan), service.ended]);
  plan.stop();
  await service.up();
  await atRest();
  await journey.expectNoFaults();
  const { mistakes } = journey.github;
  return { outcome: await readOutcome(number, head), mistakes, wasKilled: plan.done > 0 };
}

let untouched: Life;

beforeAll(async () => {
  receiver = await startReceiver();
  journey = await startJourney({}, async (env) => (service = await startKeptService(env)));
  journey.preview.pages.set('/prices', pageOf('#e00'));
  // The first also learns of the repository what is known to all others.
  await live([]);
  const { outcome } = await live([]);
  if (!outcome.told.includes('baseline.promoted')) throw new Error('The webhook was not told of the version');
  untouched = { outcome, mistakes: [], wasKilled: true };
}, LONG_MS);
afterAll(async () => {
  await journey.stop();
  await receiver.stop();
}, LONG_MS);

it.each(STEPS)(
  'comes out the same when all is killed once %s',
  async (step) => {
    expect(await live([{ moment: { at: 'step', step }, parts: PARTS }])).toEqual(untouched);
  },
  LONG_MS,
);

it(
  'comes out the same when all is killed after every step',
  async () => {
    expect(await live(STEPS.map((step) => ({ moment: { at: 'step', step }, parts: PARTS })))).toEqual(untouched);
  },
  LONG_MS,
);

/** What is done where no step shows, and the part that does it. */
const WITHIN: [string, Part, RegExp][] = [
  ['the run gets its pages', 'worker', /^insert into page_results/],
  ['the run begins', 'worker', /^update "test_runs" set "status" = \$1, "updated_at" = CURRENT_TIMESTAMP where/],
  ['a screenshot is noted', 'worker', /^update "page_results" set "is_new" = \$1, "current_file"/],
  ['a comparison is noted', 'worker', /^insert into "result_changes"/],
  ['the run ends', 'worker', /^update "test_runs" set .*"ended_at"/],
  ['a check that GitHub has is noted', 'worker', /^update "test_runs" set "check_shown" = \$1, "check_shown_at"/],
  ['the approval is stored', 'web', /^insert into "verdicts"/],
  ['the version is stored', 'worker', /^insert into "baseline_versions"/],
  ['an event waits to be told', 'worker', /^insert into "target_deliveries"/],
  ['a webhook has been told', 'worker', /^update "target_deliveries"/],
];

it.each(WITHIN)(
  'comes out the same when all is killed while %s',
  async (_, part, sql) => {
    const is = (sender: Part, statement: Statement) => sender === part && sql.test(statement.sql.trim());
    const moment: Moment = { at: 'statement', is, nth: 1, fate: 'unanswered' };
    // And once more, when it is done again.
    expect(await live([1, 2].map(() => ({ moment, parts: PARTS })))).toEqual(untouched);
  },
  LONG_MS,
);

it.each(Array.from({ length: ROUNDS }, (_, round) => SEED + round))(
  'comes out the same with the kills of seed %d',
  async (seed) => {
    expect(await live(randomKills(seed, MOST_KILLS))).toEqual(untouched);
  },
  LONG_MS,
);
