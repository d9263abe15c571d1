import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import { unsubscribeUrl } from '../../src/notices/choices.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { issuerEnvironment } from '../support/oidc-issuer.ts';
import { axeViolationsInBothSchemes, openVisitorsBrowser, visit } from '../support/visitor.ts';

let api: TestApi;
let browser: Browser;
let first: Account;
let guest: Account;
let suiteId: string;
beforeAll(async () => {
  // Nobody listens on port 9: the sign-in page says that the issuer is down.
  const environment = issuerEnvironment('http://127.0.0.1:9');
  [api, browser] = await Promise.all([startTestApi(environment), openVisitorsBrowser()]);
  first = await api.account('first');
  guest = await api.account('guest');
  const body = { name: 'Docs', baseUrl: 'http://site.test' };
  suiteId = (await api.request('POST', '/api/test-suites', { token: guest.token, body })).body.id;
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

const unsubscribePath = ({ user }: Account) => new URL(unsubscribeUrl(api.ctx.config, user.id)).pathname;

const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

describe('the pages about people', () => {
  it.each([
    ['the sign-in page with an issuer that is down', () => '/sign-in', () => undefined],
    ['the account page', () => '/account', () => first.token],
    ['what is heard by email', () => '/account/email', () => guest.token],
    ['the page that unsubscribes', () => unsubscribePath(guest), () => undefined],
    ['the accounts', () => '/admin/accounts', () => first.token],
    ['an account', () => `/admin/accounts/${guest.user.id}`, () => first.token],
    ['the page that hands a suite over', () => `/suites/${suiteId}/leave`, () => guest.token],
  ])('have no violation that axe finds, and fit a phone: %s', async (_name, path, token) => {
    const sent = token();
    const options = { viewport: { width: 375, height: 800 }, ...(sent === undefined ? {} : { token: sent }) };
    const { page, complaints, leave } = await visit(browser, api.url, options);
    await page.goto(path());
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate(isTooWide)).toBe(false);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('work without scripts: an account is found, disabled and enabled', async () => {
    const { page, leave } = await visit(browser, api.url, { token: first.token, javaScriptEnabled: false });
    await page.goto('/admin/accounts');
    await page.getByLabel('Name or email address').fill('guest');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('link', { name: 'guest' }).click();
    await page.locator('summary', { hasText: 'Disable' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.locator('summary', { hasText: 'Disable' }).waitFor();
    const row = await api.ctx.db('users').where({ id: guest.user.id }).first('disabled_at');
    expect(row.disabledAt).toBeNull();
    await leave();
  });
});
