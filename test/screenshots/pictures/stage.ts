import type { Knex } from 'knex';
import { HIDE_CLOCK, startSite } from '../../../demo/site.js';
import { startTrial } from '../../../src/runs/trials/start-trial.ts';
import { getSuiteFor } from '../../../src/suites/read-suite.ts';
import { deploymentDelivery, pullRequestDelivery } from '../../support/github-deliveries.ts';
import { newCommit } from '../../support/github-world.ts';
import { pageOf, startJourney, type Journey } from '../../support/pull-request-journey.ts';
import { restClient, runIsOver, type RestClient } from '../../support/rest-client.ts';
import { SOON_AT_REST } from '../../support/soon-at-rest.ts';
import { addStates } from './states.ts';

/** Everything that pictures are taken of, by the IDs in its addresses. */
export type Stage = Record<
  // Suites: of the sample site, linked to a repository, with a crawl to come, with a failed crawl, of a single page
  | 'demo'
  | 'linked'
  | 'fresh'
  | 'unreachable'
  | 'single'
  // Runs
  | 'baselineRun'
  | 'branchRun'
  | 'pullRequestRun'
  | 'halfDoneRun'
  | 'errorRun'
  | 'failedRun'
  | 'cancelledRun'
  | 'waitingRun'
  // Results
  | 'changed'
  | 'taller'
  | 'added'
  | 'unchanged'
  | 'approved'
  | 'broken'
  | 'doubted'
  // A group of changes
  | 'change'
  // Pages: with a history, without a baseline
  | 'page'
  | 'emptyPage'
  | 'oldVersion'
  | 'newVersion'
  | 'look'
  | 'trial'
  // A webhook
  | 'target',
  string
>;

/** Who looks at a picture's page. */
export type Visitor = 'nobody' | 'owner' | 'newcomer' | 'viewer';

/** What is needed to visit the stage. */
export type Theater = {
  url: string;
  stage: Stage;
  tokens: Record<Exclude<Visitor, 'nobody'>, string>;
  stop(): Promise<void>;
};

const run = async (api: RestClient, suiteId: string, input: object = {}): Promise<string> => {
  const { testRunId } = await api.call('POST', `/test-suites/${suiteId}/run`, input, 202);
  await api.until(`/test-runs/${testRunId}`, runIsOver);
  return testRunId;
};

async function crawl(api: RestClient, suiteId: string): Promise<{ id: string; path: string }[]> {
  await api.call('POST', `/test-suites/${suiteId}/crawl`, undefined, 202);
  const isOver = ({ crawl: { status } }: any) => ['COMPLETED', 'FAILED'].includes(status);
  return (await api.until(`/test-suites/${suiteId}/pages`, isOver)).pages;
}

/** The sample site with a run of each of its versions, and a second version of one baseline. */
async function showDemo(api: RestClient, sites: { before: string; after: string }) {
  const config = { recrawlInterval: 'off', customCss: HIDE_CLOCK, ...SOON_AT_REST };
  const input = { name: 'Marrowdale Night Railway', baseUrl: sites.before, config };
  const { id: demo } = await api.call('POST', '/test-suites', input, 201);
  const pages = await crawl(api, demo);
  await api.call('PATCH', `/test-suites/${demo}/pages`, { action: 'track', pageIds: pages.map(({ id }) => id) });
  const baselineRun = await run(api, demo);
  await api.call('POST', `/test-suites/${demo}/pages`, { path: '/journal/night-swim' }, 201);
  const branchRun = await run(api, demo, { targetBaseUrl: sites.after, branch: 'redesign/prices' });
  const { pageResults } = await api.call('GET', `/test-runs/${branchRun}`);
  const find = (path: string): string =>
    pageResults.find((result: any) => result.path === path && result.viewport === 'desktop').id;
  const [change] = await api.call('GET', `/test-runs/${branchRun}/changes`);
  const comment = { body: 'The green band is what the brand guide says.', resultId: find('/prices') };
  await api.call('POST', `/test-runs/${branchRun}/comments`, comment, 201);
  await api.call('POST', '/baselines', { pageResultId: find('/journal'), note: 'The new text is from marketing.' });
  const versions = await api.call('GET', `/baseline-versions?suiteId=${demo}&path=/journal&viewport=desktop`);
  const { pages: all } = await api.call('GET', `/test-suites/${demo}/pages`);
  const pageAt = (path: string): string => all.find((page: any) => page.path === path).id;
  return {
    demo: String(demo),
    baselineRun,
    branchRun,
    changed: find('/prices'),
    taller: find('/cabins'),
    added: find('/journal/night-swim'),
    unchanged: find('/about'),
    change: String(change.id),
    approved: find('/journal'),
    page: pageAt('/journal'),
    emptyPage: pageAt('/journal/night-swim'),
    oldVersion: String(versions[1].id),
    newVersion: String(versions[0].id),
  };
}

/** One that was captured, and one that waits for its preview. */
async function openPullRequests(journey: Journey): Promise<string> {
  const { world } = journey.github;
  journey.preview.pages.set('/prices', pageOf('#e00'));
  const [sha, late] = [newCommit(world, 'to be reviewed'), newCommit(world, 'still to be built')];
  await journey.tell(
    pullRequestDelivery(world, 'opened', { number: 7, headSha: sha, branch: 'red-prices' }),
    deploymentDelivery(world, { sha, url: journey.preview.origin }),
  );
  const isCaptured = (each: any) => each.runType === 'PR' && runIsOver(each);
  const address = `/test-runs?testSuiteId=${journey.suiteId}`;
  const { testRuns } = await journey.api().until(address, ({ testRuns: runs }) => runs.some(isCaptured));
  await journey.tell(pullRequestDelivery(world, 'opened', { number: 8, headSha: late, branch: 'slow-build' }));
  return testRuns.find(isCaptured).id;
}

async function tryPage(api: RestClient, db: Knex, suiteId: string): Promise<string> {
  const { user } = await api.call('GET', '/auth/me');
  const suite = await getSuiteFor({ db }, user, suiteId, 'suite.edit');
  const config = { ...suite.config, rules: [{ paths: ['/prices'], hide: ['table'] }] };
  const id = await startTrial({ db }, suite, { path: '/prices', viewport: 'desktop', config });
  for (;;) {
    const row = await db('page_trials').where({ id }).first('status');
    if (row?.status !== 'PENDING') return id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What needs a worker: crawls, captures and comparisons. */
async function rehearse(journey: Journey, sites: { before: string; after: string }) {
  const api = journey.api();
  const [demo, pullRequestRun] = await Promise.all([showDemo(api, sites), openPullRequests(journey)]);
  const look = await api.call('POST', '/site-looks', { baseUrl: sites.before });
  await api.until(`/site-looks/${look.id}`, ({ status }) => status !== 'PENDING');
  const { id: unreachable } = await api.call(
    'POST',
    '/test-suites',
    { name: 'Status page', baseUrl: 'http://127.0.0.1:9' },
    201,
  );
  await crawl(api, unreachable);
  const single = await api.call('POST', '/manual-runs', { url: `${sites.before}/about` }, 201);
  await api.until(`/test-runs/${single.testRunId}`, runIsOver);
  const trial = await tryPage(api, journey.db, demo.demo);
  // Nobody listens on port 9.
  const hook = { kind: 'WEBHOOK', name: 'Deploys', url: 'http://127.0.0.1:9/pixelgate' };
  const { target } = await api.call('POST', `/test-suites/${demo.demo}/targets`, hook, 201);
  await api.call('POST', `/targets/${target.id}/test`, undefined, 202);
  await api.until(`/targets/${target.id}/deliveries`, ([delivery]) => delivery?.attempts > 0);
  return {
    ...demo,
    target: String(target.id),
    pullRequestRun,
    look: String(look.id),
    unreachable: String(unreachable),
    single: String(single.manualRun.id),
    trial,
  };
}

async function register(url: string, name: string): Promise<string> {
  const body = { name, email: `${name.toLowerCase()}@example.com`, password: 'correct horse battery' };
  return (await restClient(url).call('POST', '/auth/register', body, 201)).token;
}

/** Sets a service up with all that there is to see. Then it has no worker, so that nothing changes any more. */
export async function openTheater(): Promise<Theater> {
  const [before, after] = [await startSite('before'), await startSite('after')];
  const journey = await startJourney();
  const rehearsed = await rehearse(journey, { before: before.origin, after: after.origin });
  await journey.restart({ ROLE: 'web' });
  const api = journey.api();
  const states = await addStates(api, journey.db, {
    demo: rehearsed.demo,
    site: before.origin,
    pullRequestRun: rehearsed.pullRequestRun,
  });
  const url = journey.serviceUrl();
  const [newcomer, viewer] = [await register(url, 'Nora'), await register(url, 'Viktor')];
  await api.call('POST', `/test-suites/${rehearsed.demo}/access`, { email: 'viktor@example.com', role: 'VIEWER' });
  return {
    url,
    tokens: { owner: api.token ?? '', newcomer, viewer },
    stage: { ...rehearsed, ...states, linked: journey.suiteId },
    async stop() {
      await journey.stop();
      await Promise.all([before.stop(), after.stop()]);
    },
  };
}
