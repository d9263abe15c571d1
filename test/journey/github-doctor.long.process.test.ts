import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPerson, PUBLIC_URL, startConnectedService, type ConnectedService } from '../support/connected-service.ts';
import {
  deliver,
  deploymentDelivery,
  installationDelivery,
  pullRequestDelivery,
} from '../support/github-deliveries.ts';
import { newCommit } from '../support/github-world.ts';
import type { PlainBrowser } from '../support/plain-browser.ts';

const LONG_MS = 60_000;

let service: ConnectedService;
beforeAll(async () => {
  service = await startConnectedService();
}, LONG_MS);
afterAll(() => service.stop(), LONG_MS);

describe('the doctor of a suite', () => {
  let browser: PlainBrowser;
  let suiteId: string;
  beforeAll(async () => {
    service.github.world.app.webhookUrl = `${PUBLIC_URL}/api/github/webhooks`;
    browser = service.newBrowser();
    await service.signIn(browser, newPerson());
    const input = { name: 'Site', baseUrl: 'http://127.0.0.1:1', config: { recrawlInterval: 'off' } };
    suiteId = (await service.apiOf(browser).call('POST', '/test-suites', input)).id;
  });

  /** The findings that are not OK, by name. */
  async function examine(): Promise<Record<string, string>> {
    const { findings } = await service.apiOf(browser).call('GET', `/code-host/doctor?suiteId=${suiteId}`);
    for (const { status, message, remedy } of findings) {
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(remedy ?? 'Nothing.').toMatch(/^[A-Z].*\.$/);
      expect(remedy === null).toBe(status === 'ok');
    }
    const troubles = findings.filter((each: any) => each.status !== 'ok');
    return Object.fromEntries(troubles.map((each: any) => [each.name, each.status]));
  }

  it('follows the link from nothing to all well', async () => {
    expect(await examine()).toEqual({ link: 'failed' });
    const { installation, repository } = service.github.world;
    const codehost = { owner: repository.owner, repo: repository.name, installationId: installation.id };
    await service.apiOf(browser).call('PATCH', `/test-suites/${suiteId}`, { codehost });
    expect(await examine()).toEqual({ deliveries: 'warning', preview: 'warning', required_check: 'warning' });

    const sha = newCommit(service.github.world, 'for the doctor');
    await deliver(service.url, installationDelivery(service.github.world, 'created'));
    expect(await examine()).toMatchObject({ deliveries: 'warning' });
    await deliver(service.url, pullRequestDelivery(service.github.world, 'opened', { number: 2, headSha: sha }));
    await deliver(service.url, deploymentDelivery(service.github.world, { sha, url: 'https://preview.test' }));
    await service.handleDeliveries();
    expect(await examine()).toEqual({ required_check: 'warning' });
    repository.requiredChecks = [{ context: 'Pixelgate', app_id: 4711 }];
    expect(await examine()).toEqual({});
  });

  it('knows a wrong rule from a right one, of branch protection and of rulesets', async () => {
    const { repository } = service.github.world;
    const ruleset = (context: string, integrationId?: number) => ({
      type: 'required_status_checks',
      parameters: {
        strict_required_status_checks_policy: false,
        required_status_checks: [
          { context, ...(integrationId === undefined ? {} : { integration_id: integrationId }) },
        ],
      },
    });
    repository.requiredChecks = [{ context: 'pixelgate', app_id: null }];
    expect(await examine()).toEqual({ required_check: 'failed' });
    repository.requiredChecks = [{ context: 'Pixelgate', app_id: 15_368 }];
    expect(await examine()).toEqual({ required_check: 'failed' });
    repository.requiredChecks = [{ context: 'build', app_id: 15_368 }];
    expect(await examine()).toEqual({ required_check: 'warning' });
    repository.requiredChecks = [];
    repository.rules = [ruleset('Pixelgate / Home')];
    expect(await examine()).toEqual({ required_check: 'failed' });
    repository.rules = [ruleset('Pixelgate', 4711)];
    expect(await examine()).toEqual({});
  });

  it('wants the events of the merge queue where there is one', async () => {
    const { app, installation, repository } = service.github.world;
    repository.rules.push({ type: 'merge_queue', parameters: {} });
    expect(await examine()).toEqual({});
    installation.events = installation.events.filter((event) => event !== 'merge_group');
    expect(await examine()).toEqual({ events: 'failed', merge_queue: 'failed' });
    installation.events = [...app.events];
  });

  it('tells what the App or its installation lacks, and a suspension, a wrong address, and what GitHub could not deliver', async () => {
    const { app, installation } = service.github.world;
    delete app.permissions['emails'];
    expect(await examine()).toEqual({});
    installation.permissions['checks'] = 'read';
    expect(await examine()).toEqual({ permissions: 'failed' });
    installation.permissions['checks'] = 'write';
    app.events = app.events.filter((event) => event !== 'status');
    expect(await examine()).toEqual({ events: 'failed' });
    app.events.push('status');
    app.webhookUrl = 'https://elsewhere.test/hook';
    expect(await examine()).toEqual({ webhook: 'failed' });
    app.webhookUrl = `${PUBLIC_URL}/api/github/webhooks`;
    const delivered_at = new Date().toISOString();
    app.deliveries = [
      { id: 1, guid: 'one', event: 'push', installation_id: installation.id, status_code: 401, delivered_at },
    ];
    expect(await examine()).toEqual({ deliveries: 'failed' });
    app.deliveries = [];
    installation.suspendedAt = '2026-01-02T00:00:00Z';
    expect(await examine()).toMatchObject({ installation: 'failed' });
    installation.suspendedAt = null;
  });

  it('tells of an App that is no longer installed', async () => {
    service.github.world.installation.removed = true;
    expect(await examine()).toMatchObject({ installation: 'failed' });
    service.github.world.installation.removed = false;
  });
});

describe('the way from an installation to the first check', () => {
  const NUMBER = 31;
  const SITE = 'https://www.site.test/';
  let browser: PlainBrowser;
  let suiteId: string;
  beforeAll(async () => {
    browser = service.newBrowser();
    await service.signIn(browser, newPerson());
  });

  const cookies = () => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  async function post(path: string, fields: Record<string, string>): Promise<Response> {
    const headers = { cookie: cookies(), origin: PUBLIC_URL };
    return fetch(service.url + path, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  }
  const read = async (path: string, by = browser) => (await by.get(path)).text();
  const leadsTo = async (path: string) => new URL((await browser.get(path)).headers.get('location') ?? '', PUBLIC_URL);

  /** Where the page leads to create a suite for the repository. */
  async function createHref(): Promise<string> {
    const { installation } = service.github.world;
    const page = await read(`/setup/installed?installation_id=${installation.id}&setup_action=install`);
    const [, href = ''] = /href="(\/setup\/create\?[^"]*)"/.exec(page) ?? [];
    return href.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&');
  }

  it('shows the repositories to those whose GitHub account sees them, and to nobody else', async () => {
    const { repository } = service.github.world;
    const name = `${repository.owner}/${repository.name}`;
    expect(await read('/setup/installed')).toContain(name);
    const stranger = service.newBrowser();
    await stranger.enter('/api/auth/register', 'stranger@example.com');
    const page = await read('/setup/installed', stranger);
    expect(page).not.toContain(name);
    expect(page).toContain('/api/auth/github?next&#x3D;%2Fsetup%2Finstalled');
    expect((await stranger.get(await createHref())).status).toBe(404);
    expect((await service.newBrowser().get('/setup/installed')).headers.get('location')).toContain('/sign-in');
  });

  it('fills in the form with the homepage, or else with the last deployment to production', async () => {
    const { repository } = service.github.world;
    const href = await createHref();
    expect((await leadsTo(href)).search).not.toContain('baseUrl');
    const deployment = { id: 900, sha: 'a'.repeat(40), ref: 'main', environment: 'Production – site' };
    const preview = { ...deployment, id: 901, environment: 'Preview – site' };
    const status = (url: string) => ({ state: 'success', environment_url: url });
    repository.deployments = [
      { deployment, statuses: [status('https://deployed.test/'), { state: 'inactive', environment_url: '' }] },
      { deployment: preview, statuses: [status('https://preview.test/')] },
    ];
    expect((await leadsTo(href)).searchParams.get('baseUrl')).toBe('https://deployed.test/');
    repository.deployments = [];
    repository.homepage = 'www.site.test/';
    const form = await leadsTo(href);
    expect(form.searchParams.get('baseUrl')).toBe(SITE);
    const page = await read(form.pathname + form.search);
    for (const value of [SITE, repository.name, form.searchParams.get('repository')]) {
      expect(page).toContain(`value="${value}"`);
    }
    const filled = Object.fromEntries(form.searchParams);
    const created = await post('/suites/new', {
      ...filled,
      description: '',
      'config.maxPages': '50',
      viewports: 'default',
    });
    const [, id = '', rest = ''] = /^\/suites\/([^/]+)(\/.*)?$/.exec(created.headers.get('location') ?? '') ?? [];
    suiteId = id;
    expect([created.status, rest]).toEqual([303, '/first-check']);
    expect(await read('/setup/installed')).toContain(`href="/suites/${suiteId}/first-check"`);
  });

  it("ticks off what the first check needs, in the doctor's words", async () => {
    const path = `/suites/${suiteId}/first-check`;
    const page = await read(path);
    expect(page).toContain(`The suite is linked to ${service.github.world.repository.owner}`);
    expect(page).toContain('No pages are tracked.');
    expect(page).toContain('The repository has no open pull requests.');
    await service.apiOf(browser).call('POST', `/test-suites/${suiteId}/pages`, { path: '/' });
    const headers = { cookie: cookies(), 'hx-request': 'true' };
    const part = await (await fetch(`${service.url}${path}?looks=3`, { headers })).text();
    expect(part).not.toContain('<html');
    expect(part).toContain('1 tracked page, 0 baselines.');
    expect(part).toMatch(/hx-get="[^"]*looks&#x3D;4" hx-trigger="every 11s"/);
  });

  it('tries it on an open pull request, once', async () => {
    const { world } = service.github;
    const headSha = newCommit(world, 'to be tried');
    const { payload } = pullRequestDelivery(world, 'opened', { number: NUMBER, headSha });
    Object.assign(payload.pull_request.base.repo, payload.repository);
    world.repository.pulls.set(NUMBER, { ...payload.pull_request, title: '<b>Prices</b>' });
    const path = `/suites/${suiteId}/first-check`;
    const offered = await read(path);
    expect(offered).toContain('&lt;b&gt;Prices&lt;/b&gt;');
    expect(offered).toContain(`name="number" value="${NUMBER}"`);
    const tried = await post(path, { number: String(NUMBER) });
    const run = tried.headers.get('location') ?? '';
    expect([tried.status, run]).toEqual([303, expect.stringMatching(/^\/runs\/[\w-]+$/)]);
    expect((await post(path, { number: String(NUMBER) })).headers.get('location')).toBe(run);
    const found = await service.apiOf(browser).call('GET', `/test-runs/${run.slice('/runs/'.length)}`);
    expect(found).toMatchObject({ runType: 'PR', status: 'PENDING', git: { prNumber: NUMBER, headSha } });
    expect(await read(path)).toContain(`Waiting for the first screenshot of pull request #${NUMBER}.`);
    expect((await post(path, { number: '32' })).status).toBe(404);
    world.repository.pulls.set(NUMBER, { ...payload.pull_request, state: 'closed' });
    expect((await post(path, { number: String(NUMBER) })).status).toBe(409);
  });

  it('tells nobody of pull requests whose GitHub account does not see the repository', async () => {
    const viewer = service.newBrowser();
    await viewer.enter('/api/auth/register', 'editor@example.com');
    const share = { email: 'editor@example.com', role: 'EDITOR' };
    await service.apiOf(browser).call('POST', `/test-suites/${suiteId}/access`, share);
    service.github.world.repository.pulls.set(NUMBER, { number: NUMBER, state: 'open', updated_at: '' });
    const page = await read(`/suites/${suiteId}/first-check`, viewer);
    expect(page).toContain('Your GitHub account cannot see');
    expect(page).not.toContain('name="number"');
  });
});

it('asked GitHub for nothing in a way that GitHub does not document', () => {
  expect(service.github.mistakes).toEqual([]);
});
