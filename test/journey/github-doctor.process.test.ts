import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ConnectedService } from '../support/connected-service.ts';
import { PUBLIC_URL, newPerson, startConnectedService } from '../support/connected-service.ts';
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
    app.deliveries = [{ event: 'push', installation_id: installation.id, status_code: 401, delivered_at }];
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

it('asked GitHub for nothing in a way that GitHub does not document', () => {
  expect(service.github.mistakes).toEqual([]);
});
