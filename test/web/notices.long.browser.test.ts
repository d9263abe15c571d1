import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import { sendDeliveries } from '../../src/notices/send-deliveries.ts';
import { startReceiver, type Receiver } from '../notices/receiver.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { axeViolationsInBothSchemes, openVisitorsBrowser, visit } from '../support/visitor.ts';

let api: TestApi;
let browser: Browser;
let receiver: Receiver;
let first: Account;
let suiteId: string;
let targetId: string;
beforeAll(async () => {
  [api, browser, receiver] = await Promise.all([startTestApi(), openVisitorsBrowser(), startReceiver()]);
  first = await api.account('first');
  const { token } = first;
  const suite = { name: 'Docs', baseUrl: 'http://site.test' };
  suiteId = (await api.request('POST', '/api/test-suites', { token, body: suite })).body.id;
  const body = { kind: 'TEAMS', name: `Releases ${'x'.repeat(80)}`, url: receiver.url };
  const made = await api.request('POST', `/api/test-suites/${suiteId}/targets`, { token, body });
  targetId = made.body.target.id;
  receiver.answer({ status: 202, body: 'accepted '.repeat(100) });
  await api.request('POST', `/api/targets/${targetId}/test`, { token });
  await sendDeliveries(api.ctx, { targetId }, { isClosing: () => false });
  receiver.answer({ status: 503, body: 'later' });
  await api.request('POST', `/api/targets/${targetId}/test`, { token });
  await sendDeliveries(api.ctx, { targetId }, { isClosing: () => false });
});
afterAll(async () => {
  await browser.close();
  await api.stop();
  await receiver.stop();
});

const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
const unfold = "document.querySelectorAll('.notice-exchange').forEach((details) => (details.open = true))";

describe('notices and the audit log', () => {
  it.each([
    ['notices', () => `/suites/${suiteId}/notices`],
    ['a target', () => `/suites/${suiteId}/notices/${targetId}`],
    ['notices of the installation', () => '/notices'],
    ['the audit log', () => `/suites/${suiteId}/audit`],
    ['the audit log of the installation', () => '/audit'],
    ['the audit log without a match', () => '/audit?from=2001-01-01&to=2001-01-01'],
  ])('have no violation that axe finds, and fit a phone and a desk: %s', async (_name, path) => {
    for (const width of [375, 1440]) {
      const { page, complaints, leave } = await visit(browser, api.url, {
        viewport: { width, height: 800 },
        token: first.token,
      });
      await page.goto(path());
      await page.evaluate(unfold);
      expect(await axeViolationsInBothSchemes(page)).toEqual([]);
      expect(await page.evaluate(isTooWide)).toBe(false);
      expect(complaints).toEqual([]);
      await leave();
    }
  });

  it('work without scripts: a webhook is made, tried, switched off and deleted', async () => {
    const { page, leave } = await visit(browser, api.url, { token: first.token, javaScriptEnabled: false });
    await page.goto('/account');
    await page.getByRole('link', { name: 'Notices' }).click();
    await page.getByRole('link', { name: 'Slack' }).click();
    await page.getByRole('link', { name: 'Webhook' }).click();
    await page.getByLabel('Name').fill('Deploys');
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Comment created').uncheck();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Waiting', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Switched off').first().waitFor();
    await page.locator('summary', { hasText: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('None yet.').waitFor();
    expect(await api.ctx.db('targets').where({ name: 'Deploys' })).toEqual([]);
    await leave();
  });

  it('work without scripts: the audit log is filtered and downloaded', async () => {
    const { page, leave } = await visit(browser, api.url, { token: first.token, javaScriptEnabled: false });
    await page.goto(`/suites/${suiteId}/settings#access`);
    await page.getByRole('link', { name: 'View audit log' }).click();
    await page.getByLabel('Event', { exact: true }).selectOption('Suite created');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('first created the suite Docs').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('events.csv');
    await leave();
  });
});
