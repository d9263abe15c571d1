import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DatabaseProxy, Statement } from '../support/database-proxy.ts';
import { mayCommit, startDatabaseProxy } from '../support/database-proxy.ts';
import { pullRequest } from '../support/pull-request-events.ts';
import type { Journey } from '../support/pull-request-journey.ts';
import { pageOf, startJourney } from '../support/pull-request-journey.ts';
import { runIsOver } from '../support/rest-client.ts';

/*
 * One service, as it is installed, is killed at every place in its SQL where what is stored differs from what was stored
 * before: at each commit, and at the next statement after it. Pull requests are led from their first event to their
 * baselines, again and again, with a few kills in each step, until one passes without a place that is new.
 */

const LONG_MS = 7_200_000;

let journey: Journey;
let proxy: DatabaseProxy;

beforeAll(async () => {
  journey = await startJourney({}, async (databaseUrl) => {
    proxy = await startDatabaseProxy(databaseUrl);
    return proxy.url;
  });
}, LONG_MS);
afterAll(async () => {
  proxy.decide = () => 'pass';
  await journey.stop();
  await proxy.stop();
}, LONG_MS);

const shorten = (sql: string) =>
  sql
    .replace(/\$\d+(, *\$\d+)*/g, '$')
    .replace(/\d+/g, '0')
    .slice(0, 2000);

/** What the service does in any case, again and again, at no time in particular. */
const isIdle = ({ sql, before }: Statement) =>
  /^(select 1|set idle_session|listen)/i.test(sql.trimStart()) || before === '';

/** Fewer than the attempts of any job. */
const KILLS_AT_ONCE = 3;

const killed = new Set<string>();
let killsLeft = 0;
let isDown = false;
let restart: Promise<void> = Promise.resolve();

function killAtNewPlace(statement: Statement): 'lost' | 'pass' {
  const isAfterCommit = mayCommit({ sql: statement.before, before: '', isInside: /^commit/i.test(statement.before) });
  if (killsLeft === 0 || isDown || isIdle(statement) || !(mayCommit(statement) || isAfterCommit)) return 'pass';
  const place = `${shorten(statement.before)} | ${shorten(statement.sql)}`;
  if (killed.has(place)) return 'pass';
  killed.add(place);
  killsLeft -= 1;
  isDown = true;
  restart = journey.crash().finally(() => (isDown = false));
  return 'lost';
}

/** Does it with a few kills, and waits until the service is there again. */
async function withKills(step: () => Promise<unknown>): Promise<void> {
  killsLeft = KILLS_AT_ONCE;
  await step();
  killsLeft = 0;
  await restart;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

/** As people and GitHub do: what was not answered is asked for again. */
async function persist<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    await restart;
    try {
      return await ask();
    } catch (error) {
      if (/answered 4/.test(String(error))) throw error;
      await pause();
    }
  }
}

async function until(path: string, holds: (answer: any) => boolean): Promise<void> {
  while (!holds(await call('GET', path))) await pause();
}

const call = (method: string, path: string, body?: unknown) => persist(() => journey.api().call(method, path, body));

const PRICES = () => `/baseline-versions?suiteId=${journey.suiteId}&path=/prices`;

let pulls = 0;

async function leadPullRequest(): Promise<void> {
  pulls += 1;
  const pull = pullRequest(journey, 100 + pulls);
  const color = `#${(0x100000 + pulls * 0x1111).toString(16)}`;
  journey.preview.pages.set('/prices', pageOf(color));
  const before = await persist(() => journey.versions());
  const head = pull.commit();
  await withKills(async () => {
    await persist(() => journey.tell(pull.event('opened', { headSha: head })));
    await pull.check(head, 'queued');
  });
  await withKills(async () => {
    await persist(() => journey.tell(pull.deployed(head)));
    await pull.check(head, 'completed/action_required');
  });
  const [check] = pull.checks(head);
  const run = `/test-runs/${check?.external_id}`;
  await decide(run, 'approve', 'APPROVED');
  await pull.check(head, 'completed/success');
  await decide(run, 'undo', 'PENDING');
  await pull.check(head, 'completed/action_required');
  await ignore(run);
  await decide(run, 'approve', 'APPROVED');
  await pull.check(head, 'completed/success');
  await withKills(async () => {
    await persist(() => journey.tell(pull.event('merged', { headSha: head, after: 3600, mergeCommitSha: head })));
    await until(PRICES(), ([newest]) => newest.prNumber === pull.number);
  });
  const after = await persist(() => journey.versions());
  expect(after.map(({ version }) => version)).toEqual(Array.from(after, (_, index) => after.length - index));
  expect(after).toHaveLength(before.length + 1);
  expect(pull.checks(head)).toHaveLength(1);
  journey.site.pages.set('/prices', pageOf(color));
  await runSite();
}

/** What a person decided is there once they are told so. */
async function decide(run: string, decision: string, gate: string): Promise<void> {
  await withKills(() => call('POST', `${run}/verdicts`, { decision }));
  expect((await call('GET', run)).reviewState).toBe(gate);
}

/** A rule that ignores what changed, and none again: the run is judged twice. */
async function ignore(run: string): Promise<void> {
  const box = { x: 0, y: 0, width: 4000, height: 4000 };
  for (const rules of [[{ paths: ['**'], ignoreBoxes: [box] }], []]) {
    await withKills(async () => {
      await call('PATCH', `/test-suites/${journey.suiteId}`, { config: { rules } });
      const gate = rules.length === 0 ? 'PENDING' : 'NOT_REQUIRED';
      await until(run, ({ reviewState }) => reviewState === gate);
    });
  }
}

/** A run of the suite's own site with a page that was not there before: its first screenshot is seeded. */
async function runSite(): Promise<void> {
  const path = `/page-${pulls}`;
  journey.site.pages.set(path, pageOf('#eee'));
  await call('POST', `/test-suites/${journey.suiteId}/pages`, { path });
  await withKills(async () => {
    const { testRunId } = await call('POST', `/test-suites/${journey.suiteId}/run`);
    await until(`/test-runs/${testRunId}`, runIsOver);
    const { status, metadata } = await call('GET', `/test-runs/${testRunId}`);
    expect([status, metadata.errorTests]).toEqual(['COMPLETED', 0]);
  });
  const seeded = await call('GET', `/baseline-versions?suiteId=${journey.suiteId}&path=${path}`);
  expect(seeded.map(({ version, source }: any) => [version, source])).toEqual([[1, 'INITIAL']]);
  // Runs of the next pull requests need not capture it.
  const { pages } = await call('GET', `/test-suites/${journey.suiteId}/pages`);
  const { id } = pages.find((each: any) => each.path === path);
  await call('PATCH', `/test-suites/${journey.suiteId}/pages`, { action: 'untrack', pageIds: [id] });
}

it(
  'loses and doubles nothing, wherever it is killed',
  async () => {
    proxy.decide = killAtNewPlace;
    let known = -1;
    while (known < killed.size) {
      known = killed.size;
      await leadPullRequest();
      process.stderr.write(`pull request ${pulls}: killed at ${killed.size} places\n`);
    }
    expect(killed.size).toBeGreaterThan(20);
    expect(journey.github.mistakes).toEqual([]);
  },
  LONG_MS,
);
