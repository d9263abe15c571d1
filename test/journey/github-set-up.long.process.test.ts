import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { APP_ENVIRONMENT, deliveryHeaders, OAUTH, signatureOf } from '../support/github-app.ts';
import { deliver, pullRequestDelivery } from '../support/github-deliveries.ts';
import { startGitHubStandIn, type GitHubStandIn } from '../support/github-stand-in.ts';
import { newCommit } from '../support/github-world.ts';
import { plainBrowser, signInWithGitHub, type PlainBrowser } from '../support/plain-browser.ts';
import { restClient } from '../support/rest-client.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';

const LONG_MS = 120_000;
const PUBLIC_URL = 'https://pixelgate.test';
const SECRETS = [APP_ENVIRONMENT.WEBHOOK_SECRET, OAUTH.GITHUB_CLIENT_SECRET, 'PRIVATE KEY'];
const ADA = { id: 21031067, login: 'ada', name: 'Ada', email: 'ada@example.com' };

let database: TestDatabase;
let dataDir: string;
let github: GitHubStandIn;
let services: ServiceProcess[];

/** A web host of a service that is not connected to GitHub yet. */
async function startHost(role: string, environment: Record<string, string> = {}): Promise<ServiceProcess> {
  const { GHE_HOST = '', GHE_PROTOCOL = '' } = github.environment;
  const service = await startServiceProcess({
    GHE_HOST,
    GHE_PROTOCOL,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    JWT_SECRET: 'a secret that all hosts of this service share',
    PUBLIC_URL,
    ROLE: role,
    ...environment,
  });
  services.push(service);
  return service;
}

beforeEach(async () => {
  services = [];
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-set-up-'));
  github = await startGitHubStandIn();
}, LONG_MS);

afterEach(async () => {
  await Promise.all(services.map(async (service) => service.end()));
  await github.stop();
  await database.drop();
  await rm(dataDir, { recursive: true });
}, LONG_MS);

const unescape = (text: string) =>
  text.replace(/&(quot|#x3D|amp|lt|gt|#39);/g, (_, name: string) => {
    const characters: Record<string, string> = { quot: '"', '#x3D': '=', amp: '&', lt: '<', gt: '>', '#39': "'" };
    return characters[name] ?? '';
  });

/** What GitHub does with the form: it shows the manifest to the user and redirects back with a code. */
function postToGitHub(page: string, code: string): { back: URL; manifest: any } {
  const [, action = ''] = /<form[^>]* action="(http[^"]*)"/.exec(page) ?? [];
  const [, text = ''] = /name="manifest" value="([^"]*)"/.exec(page) ?? [];
  const url = new URL(unescape(action));
  expect(url.origin + url.pathname).toBe(`${github.origin}/settings/apps/new`);
  const manifest = JSON.parse(unescape(text));
  const back = new URL(manifest.redirect_url);
  back.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }).toString();
  github.world.manifestCodes.add(code);
  return { back, manifest };
}

async function ping(url: string, secret = APP_ENVIRONMENT.WEBHOOK_SECRET): Promise<number> {
  const body = '{"zen":"Keep it logically awesome."}';
  const signature = { 'x-hub-signature-256': signatureOf(body, secret) };
  const headers = { ...deliveryHeaders('ping', crypto.randomUUID(), body), ...signature };
  return (await fetch(`${url}/api/github/webhooks`, { method: 'POST', headers, body })).status;
}

async function connect(browser: PlainBrowser): Promise<void> {
  const { back } = postToGitHub(await (await browser.get('/setup')).text(), 'code-of-connect');
  expect((await browser.get(back.href)).status).toBe(303);
}

async function linkedSuite(browser: PlainBrowser, url: string): Promise<string> {
  const api = restClient(url);
  api.token = browser.token();
  const suite = await api.call('POST', '/test-suites', {
    name: 'Site',
    baseUrl: 'http://127.0.0.1:1',
    config: { recrawlInterval: 'off' },
  });
  await api.call('POST', `/test-suites/${suite.id}/pages`, { path: '/' });
  const [{ owner, repo }] = await api.call('GET', `/code-host/repos?installationId=${github.world.installation.id}`);
  const codehost = { owner, repo, installationId: github.world.installation.id };
  await api.call('PATCH', `/test-suites/${suite.id}`, { codehost });
  return suite.id;
}

async function openPullRequest(url: string, number: number): Promise<void> {
  const headSha = newCommit(github.world, `pull request ${number}`);
  expect(await deliver(url, pullRequestDelivery(github.world, 'opened', { number, headSha }))).toBe(200);
  await github.until(({ checks }) => checks.some((check) => check.head_sha === headSha));
}

it(
  'is connected by its first user alone, and every host and worker is at work with the App at once and for good',
  async () => {
    const [web, other, worker] = await Promise.all([startHost('web'), startHost('web'), startHost('worker')]);
    const first = plainBrowser(() => web.url, PUBLIC_URL);
    const second = plainBrowser(() => web.url, PUBLIC_URL);
    await first.enter('/api/auth/register', 'first@example.com');
    await second.enter('/api/auth/register', 'second@example.com');
    expect([await ping(web.url), await ping(other.url)]).toEqual([404, 404]);
    expect((await first.get('/api/auth/github')).status).toBe(404);

    expect((await second.get('/setup')).status).toBe(403);
    const { back, manifest } = postToGitHub(await (await first.get('/setup')).text(), 'the-code');
    expect(manifest.hook_attributes).toEqual({ url: `${PUBLIC_URL}/api/github/webhooks`, active: true });
    expect(manifest.callback_urls).toEqual([`${PUBLIC_URL}/api/auth/github/callback`]);
    expect(manifest).toMatchObject({ public: false, url: PUBLIC_URL, default_permissions: { checks: 'write' } });

    expect((await second.get(back.href)).status).toBe(403);
    const forged = new URL(back);
    forged.searchParams.set('state', 'v1.forged');
    expect((await first.get(forged.href)).status).toBe(400);
    expect(github.asked).toEqual([]);
    expect((await first.get(back.href)).headers.get('location')).toBe('/setup');
    expect((await first.get(back.href)).status).toBe(409);
    expect(github.asked.map(({ operation }) => operation)).toEqual(['apps/create-from-manifest']);

    const stored = JSON.stringify(await database.db('github_app').select());
    for (const secret of SECRETS) expect(stored).not.toContain(secret);
    expect([await ping(web.url), await ping(other.url)]).toEqual([200, 200]);
    expect(await ping(other.url, 'development')).toBe(401);

    github.world.person = ADA;
    expect((await signInWithGitHub(first)).status).toBe(302);
    await linkedSuite(first, other.url);
    await openPullRequest(other.url, 2);

    await Promise.all([web.end('SIGKILL'), other.end(), worker.end('SIGKILL')]);
    const again = await startHost('all');
    const returned = plainBrowser(() => again.url, PUBLIC_URL);
    await returned.enter('/api/auth/login', 'first@example.com');
    expect(await (await returned.get('/setup')).text()).toContain('/apps/pixelgate/installations/new');
    await openPullRequest(again.url, 3);
    const logged = services.flatMap(({ lines }) => lines).join('\n');
    for (const secret of [...SECRETS, 'the-code', 'ghs_', 'ghu_']) expect(logged).not.toContain(secret);
    expect(github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'goes by the App of the environment where there is one, whatever was stored before',
  async () => {
    const before = await startHost('web');
    const first = plainBrowser(() => before.url, PUBLIC_URL);
    await first.enter('/api/auth/register', 'first@example.com');
    await connect(first);
    await before.end();
    const secret = 'the secret of the App in the environment';
    const after = await startHost('web', { ...APP_ENVIRONMENT, APP_ID: '99', WEBHOOK_SECRET: secret });
    expect([await ping(after.url), await ping(after.url, secret)]).toEqual([401, 200]);
    const returned = plainBrowser(() => after.url, PUBLIC_URL);
    await returned.enter('/api/auth/login', 'first@example.com');
    const page = await (await returned.get('/setup')).text();
    expect(page).toContain('99');
    expect(page).not.toContain('name="manifest"');
  },
  LONG_MS,
);
