import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decideSiteState } from '../../src/runs/site-state.ts';
import { badgeMarkdown } from '../../src/suites/config/public-badge.ts';
import { createSuite } from '../../src/suites/suite-life.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';

let api: TestApi;
let owner: Account;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
});
afterAll(async () => api.stop());

const newSuite = async (badge: boolean) =>
  createSuite(api.ctx, owner.user, { name: 'Docs', baseUrl: 'http://site.test', config: { badge } });
const open = async (id: string, headers: Record<string, string> = {}) =>
  api.request('GET', `/suites/${id}/badge.svg`, { headers });

describe('a badge', () => {
  it('is for anyone where the suite says so, and kept for a minute', async () => {
    const suite = await newSuite(true);
    const { status, headers, body } = await open(suite.id);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('set-cookie')).toBeNull();
    expect(body).toContain('<title>Pixelgate: unknown</title>');
    const again = await open(suite.id, { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  it('does not exist where the suite does not, not even for its owner', async () => {
    const { id } = await newSuite(false);
    const own = await api.request('GET', `/suites/${id}/badge.svg`, { token: owner.token });
    const missing = await open(randomUUID());
    for (const answer of [own, await open(id), await open('not-an-id')]) {
      expect([answer.status, answer.body]).toEqual([404, missing.body]);
    }
  });

  it('is the newest run of the site itself that was not cancelled', async () => {
    const { id } = await newSuite(true);
    const started = await api.request('POST', `/api/test-suites/${id}/pages`, {
      token: owner.token,
      body: { url: 'http://site.test/' },
    });
    expect(started.status).toBeLessThan(300);
    await api.request('POST', `/api/test-suites/${id}/run`, { token: owner.token, body: {} });
    expect((await open(id)).body).toContain('Pixelgate: running');
    const runs = api.ctx.db('test_runs').where({ test_suite_id: id });
    await runs.clone().update({ status: 'COMPLETED', review_state: 'PENDING' });
    expect((await open(id)).body).toContain('Pixelgate: review required');
    await runs.clone().update({ status: 'CANCELLED' });
    expect((await open(id)).body).toContain('Pixelgate: unknown');
  });

  it('has its Markdown on the settings page once it is public', async () => {
    const [shown, hidden] = [await newSuite(true), await newSuite(false)];
    const settings = async (id: string) =>
      String((await api.request('GET', `/suites/${id}/settings`, { token: owner.token })).body);
    expect(await settings(shown.id)).toContain(`/suites/${shown.id}/badge.svg`);
    expect(await settings(hidden.id)).not.toContain('badge.svg');
  });
});

describe('what a badge says', () => {
  it.each([
    [{ status: 'COMPLETED', reviewState: 'NOT_REQUIRED', metadata: null }, 'passing'],
    [{ status: 'COMPLETED', reviewState: 'APPROVED', metadata: { errorTests: 0 } }, 'passing'],
    [{ status: 'COMPLETED', reviewState: 'PENDING', metadata: { errorTests: 1 } }, 'failing'],
    [{ status: 'FAILED', reviewState: 'NOT_REQUIRED', metadata: null }, 'failing'],
    [{ status: 'PENDING', reviewState: 'NOT_REQUIRED', metadata: null }, 'running'],
    [null, 'unknown'],
  ] as const)('of %j is %s', (run, state) => {
    expect(decideSiteState(run)).toBe(state);
  });

  it('is Markdown that a name can’t break', () => {
    const markdown = badgeMarkdown('https://gate.test', { id: '1', name: 'A](http://evil) <b>\n[x' });
    expect(markdown).toBe(
      String.raw`[![Pixelgate: A\](http://evil) \<b\> \[x](https://gate.test/suites/1/badge.svg)](https://gate.test/suites/1)`,
    );
  });
});
