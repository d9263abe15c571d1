import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { expectNoFaults } from './expect-no-faults.ts';
import { deliver, installationDelivery, type Delivery } from './github-deliveries.ts';
import { startGitHubStandIn, type GitHubStandIn } from './github-stand-in.ts';
import type { Person } from './github-world.ts';
import { restClient, runIsOver, type RestClient } from './rest-client.ts';
import { startServiceProcess, type ServiceProcess } from './service-process.ts';
import { html, startSmallSite, type SmallSite } from './small-site.ts';
import { SOON_AT_REST } from './soon-at-rest.ts';
import { cookieOf } from './web-form.ts';

/** The public URL of the service. It is not loopback, so checks show diff images. */
const PUBLIC_URL = 'https://pixelgate.test';

export const ADA: Person = { id: 21031067, login: 'ada', name: 'Ada', email: 'ada@example.com' };

/** A service connected to a GitHub, with a linked suite whose two pages have their first baselines. */
export type Journey = {
  github: GitHubStandIn;
  db: TestDatabase['db'];
  /** The suite's own site. */
  site: SmallSite;
  preview: SmallSite;
  suiteId: string;
  /** A new suite like it takes its place at the repository, and in `suiteId`. */
  newSuite(): Promise<void>;
  /** An API client for Ada, who signed in with GitHub. */
  api(): RestClient;
  serviceUrl(): string;
  /** Posts deliveries as GitHub does. Each must be accepted. */
  tell(...deliveries: Delivery[]): Promise<void>;
  /** Kills the service and starts it again. */
  crash(): Promise<void>;
  /** Stops the service cleanly and starts it with these additional settings. */
  restart(environment: Record<string, string>): Promise<void>;
  /** The versions of the page that the pull request changes, newest first. */
  versions(): Promise<any[]>;
  /** Expects that what is stored has no fault. */
  expectNoFaults(): Promise<void>;
  /** Ends everything, and expects the same. */
  stop(): Promise<void>;
};

export function pageOf(color: string): string {
  return html('Prices', `<h1>Prices</h1><p style="background:${color}">10 a month</p><img src="/badge.svg" alt="">`);
}

const badge = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>';

async function startSite(deployment: string): Promise<SmallSite> {
  const site = await startSmallSite(
    new Map([
      ['/', html('Home', '<h1>Home</h1>')],
      ['/prices', pageOf('#eee')],
    ]),
    deployment,
  );
  showBadge(site);
  return site;
}

/** Loading the changed page waits for `when`, and `asked` is called when it begins to wait. */
export function showBadge(site: SmallSite, when: Promise<void> = Promise.resolve(), asked = (): void => {}): void {
  site.pages.set('/badge.svg', (response) => {
    asked();
    void when.then(() => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(badge));
  });
}

/** Signs in as a browser does. @returns the session token. */
async function signIn(url: string): Promise<string> {
  const start = await fetch(`${url}/api/auth/github`, { redirect: 'manual' });
  const granted = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' });
  const back = new URL(granted.headers.get('location') ?? '');
  const end = await fetch(url + back.pathname + back.search, {
    redirect: 'manual',
    headers: { cookie: cookieOf(start, 'pixelgate_sign_in') },
  });
  const [, token = ''] = cookieOf(end, 'pixelgate_session').split('=');
  if (back.origin !== PUBLIC_URL || token === '')
    throw new Error(`Signing in ended with ${end.status}: ${await end.text()}`);
  return token;
}

async function suiteWithBaselines(api: RestClient, site: SmallSite): Promise<string> {
  const config = { recrawlInterval: 'off', viewports: [{ name: 'desktop', width: 800, height: 600 }], ...SOON_AT_REST };
  const suite = await api.call('POST', '/test-suites', { name: 'Site', baseUrl: site.origin, config }, 201);
  for (const path of ['/', '/prices']) await api.call('POST', `/test-suites/${suite.id}/pages`, { path }, 201);
  const { testRunId } = await api.call('POST', `/test-suites/${suite.id}/run`, undefined, 202);
  await api.until(`/test-runs/${testRunId}`, runIsOver);
  return suite.id;
}

async function tellTo(url: string, deliveries: Delivery[]): Promise<void> {
  const statuses = await Promise.all(deliveries.map((delivery) => deliver(url, delivery)));
  if (statuses.some((status) => status >= 300)) throw new Error(`Deliveries were answered ${statuses.join(', ')}`);
}

async function linkRepository(api: RestClient, suiteId: string, github: GitHubStandIn): Promise<void> {
  const { installation, repository } = github.world;
  const repos = await api.call('GET', `/code-host/repos?installationId=${installation.id}`);
  const { owner, repo } = repos[0];
  if (repo !== repository.name) throw new Error(`The list of repositories is ${JSON.stringify(repos)}`);
  const codehost = { owner, repo, installationId: installation.id };
  await api.call('PATCH', `/test-suites/${suiteId}`, { codehost });
}

type Service = Pick<ServiceProcess, 'url' | 'end'>;

export async function startJourney(
  environment: Record<string, string> = {},
  startService: (environment: Record<string, string>) => Promise<Service> = startServiceProcess,
): Promise<Journey> {
  const database: TestDatabase = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-pull-request-'));
  const [github, site, preview] = await Promise.all([startGitHubStandIn(), startSite('site'), startSite('preview')]);
  const start = (besides: Record<string, string> = {}) =>
    startService({
      ...github.environment,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PUBLIC_URL,
      ...environment,
      ...besides,
    });
  let service: Service = await start();
  let api = restClient(service.url);
  github.world.person = ADA;
  api.token = await signIn(service.url);
  const suiteId = await suiteWithBaselines(api, site);
  await tellTo(service.url, [installationDelivery(github.world, 'created')]);
  await linkRepository(api, suiteId, github);

  async function startAgain(signal: NodeJS.Signals, besides?: Record<string, string>): Promise<void> {
    const { token } = api;
    await service.end(signal);
    service = await start(besides);
    api = restClient(service.url);
    api.token = token;
  }

  const journey: Journey = {
    github,
    db: database.db,
    site,
    preview,
    suiteId,
    async newSuite() {
      await api.call('PATCH', `/test-suites/${journey.suiteId}`, { codehost: null });
      journey.suiteId = await suiteWithBaselines(api, site);
      await linkRepository(api, journey.suiteId, github);
    },
    api: () => api,
    serviceUrl: () => service.url,
    tell: (...deliveries) => tellTo(service.url, deliveries),
    crash: () => startAgain('SIGKILL'),
    restart: (besides) => startAgain('SIGTERM', besides),
    versions: () => api.call('GET', `/baseline-versions?suiteId=${journey.suiteId}&path=/prices`),
    expectNoFaults: () => expectNoFaults(database.db, dataDir),
    async stop() {
      await service.end();
      await Promise.all([github.stop(), site.stop(), preview.stop()]);
      try {
        await journey.expectNoFaults();
      } finally {
        await database.drop();
        await rm(dataDir, { recursive: true });
      }
    },
  };
  return journey;
}
