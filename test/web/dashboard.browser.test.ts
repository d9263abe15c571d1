import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { axeViolations, axeViolationsInBothSchemes, openVisitorsBrowser, visit } from '../support/visitor.ts';
import { broken, changed, fresh, passed, pending, runOf, siteOf } from './runs-fixture.ts';

let api: TestApi;
let browser: Browser;
let owner: Account;
let newcomer: Account;
let suite: SuiteForViewer;
beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  owner = await api.account('owner');
  newcomer = await api.account('newcomer');
  suite = await siteOf(api, owner.user, ['/', '/a']);
  await runOf(api, suite, { results: { '/': changed, '/a': fresh } });
  await runOf(api, suite, { runType: 'MANUAL', results: { '/': broken, '/a': passed } });
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

async function running() {
  return runOf(api, suite, { runType: 'MANUAL', status: 'RUNNING', results: { '/': passed, '/a': pending } });
}

describe('the pages around the reviews', () => {
  it('have no violation that axe finds, in light and dark', async () => {
    const { id } = await running();
    const visits: [string | undefined, string[]][] = [
      [owner.token, ['/', '/search?q=site', '/runs', '/runs?status=FAILED', '/account', '/setup', '/nothing']],
      [newcomer.token, ['/', '/setup']],
      [undefined, ['/register', '/forgot-password', '/reset-password', '/reset-password?token=x', '/sign-in/x']],
    ];
    for (const [token, paths] of visits) {
      const visitor = await visit(browser, api.url, token === undefined ? {} : { token });
      for (const path of paths) {
        await visitor.page.goto(path);
        expect([path, await axeViolationsInBothSchemes(visitor.page)]).toEqual([path, []]);
      }
      expect(visitor.complaints).toEqual([]);
      await visitor.leave();
    }
    const { page, leave } = await visit(browser, api.url, { token: owner.token });
    for (const pageColors of ['colorblind', 'high_contrast', 'default']) {
      await api.ctx
        .db('users')
        .where({ id: owner.user.id })
        .update({ preferences: JSON.stringify({ pageColors }) });
      await page.goto('/runs');
      expect([pageColors, await axeViolationsInBothSchemes(page)]).toEqual([pageColors, []]);
    }
    await leave();
    await api.ctx.db('test_runs').where({ id }).delete();
  });

  it('fit a telephone and a very wide screen', async () => {
    for (const width of [375, 2560]) {
      const { page, leave } = await visit(browser, api.url, { token: owner.token, viewport: { width, height: 800 } });
      for (const path of ['/', '/search?q=site', '/runs', '/account', '/setup', '/nothing']) {
        await page.goto(path);
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([path, width, beyond]).toEqual([path, width, 0]);
      }
      await leave();
    }
  });
});

describe('an open dashboard', () => {
  it('keeps what it shows when it cannot be brought up to date, says so, and catches up', async () => {
    const { id } = await running();
    const { page, complaints, leave } = await visit(browser, api.url, { token: owner.token });
    await page.goto('/');
    const progress = page.getByRole('progressbar');
    expect(await progress.getAttribute('value')).toBe('2');

    await page.route('**/*', async (route) => route.abort());
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('This page may be out of date');
    expect(await progress.count()).toBe(1);

    await page.unroute('**/*');
    await api.ctx.db('page_results').where({ test_run_id: id, status: 'PENDING' }).update({ status: 'FAIL' });
    const over = { status: 'COMPLETED', review_state: 'PENDING', ended_at: new Date() };
    await api.ctx.db('test_runs').where({ id }).update(over);
    await progress.waitFor({ state: 'detached' });
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    expect(await page.locator('#live').getAttribute('hx-get')).toBeNull();
    expect(await page.locator('#announcer').textContent()).toBe('0 running, 2 awaiting review');
    expect(complaints.filter((complaint) => !complaint.startsWith('htmx:'))).toEqual([]);
    await leave();
  });
});

describe('a list that is brought up to date', () => {
  it('leaves the focus where it is', async () => {
    await running();
    const { page, leave } = await visit(browser, api.url, { token: owner.token });
    for (const path of ['/', '/runs']) {
      await page.goto(path);
      const link = page
        .locator('.run-row', { has: page.getByRole('progressbar') })
        .first()
        .getByRole('link')
        .first();
      await link.focus();
      const before = await link.elementHandle();
      await page.waitForFunction((element) => element !== null && !element.isConnected, before);
      expect([path, await link.evaluate((element) => element === document.activeElement)]).toEqual([path, true]);
    }
    await leave();
  });
});

describe('quick search', () => {
  it('opens by key, finds while one types, is chosen by arrows and led to by Enter, and closes by Escape', async () => {
    const { page, complaints, leave } = await visit(browser, api.url, { token: owner.token, colorScheme: 'dark' });
    await page.goto('/runs');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search suites' });
    await field.waitFor();
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    await field.pressSequentially('/a');
    await page.getByRole('option', { name: '/a Page /a' }).waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await axeViolations(page)).toEqual([]);
    await field.fill('site');
    const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await page.locator('#quick-search-input[aria-activedescendant=hit-suites-0]').waitFor();
    await page.getByText(/^\d results?$/).waitFor();
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowUp');
    const last = options.last();
    expect(await field.getAttribute('aria-activedescendant')).toBe(await last.getAttribute('id'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await field.isVisible()).toBe(false);

    await page.keyboard.press('/');
    await field.fill('#1');
    await page.locator('#quick-search-input[aria-activedescendant=hit-runs-0]').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/runs\/[\w-]{36}$/);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('says whether the service failed or was not reached', async () => {
    const { page, leave } = await visit(browser, api.url, { token: owner.token });
    await page.goto('/runs');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search suites' });
    await api.ctx.db.raw('alter table site_pages rename to pages_elsewhere');
    await field.fill('/a');
    const status = page.getByRole('dialog').getByRole('status');
    await status.filter({ hasText: /\w/ }).waitFor();
    expect(await status.textContent()).toContain('Something went wrong');
    await api.ctx.db.raw('alter table pages_elsewhere rename to site_pages');
    await page.context().setOffline(true);
    await field.fill('/b');
    await status.filter({ hasText: 'can’t be reached' }).waitFor();
    await leave();
  });

  it('is a page where there are no scripts', async () => {
    const { page, leave } = await visit(browser, api.url, { token: owner.token, javaScriptEnabled: false });
    await page.goto('/');
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('/a');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: '/a Page /a' }).click();
    expect(page.url()).toMatch(/\/pages\/[\w-]{36}$/);
    await leave();
  });
});

describe('the menu', () => {
  it('opens and closes by keyboard, and changes the theme', async () => {
    const { page, leave } = await visit(browser, api.url, { token: owner.token });
    await page.goto('/runs');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    const summary = page.getByLabel(/^Account menu/);
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Dark' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Dark' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.locator('html[data-color-mode=dark]').waitFor();
    expect(new URL(page.url()).pathname).toBe('/runs');
    await leave();
  });
});

describe('without JavaScript', () => {
  it('one registers, filters runs, changes a name, is asked before signing out everywhere, and signs in again', async () => {
    const { page, leave } = await visit(browser, api.url, { javaScriptEnabled: false });
    await page.goto('/account');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Email address').fill('calm@example.org');
    await page.getByLabel('Password').fill('a password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL('**/account');
    expect(await page.getByRole('status').first().textContent()).toContain('Welcome');

    await page.getByLabel('Name').fill('Calm');
    await page.getByRole('button', { name: 'Update name' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Calm');

    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByLabel('Status').selectOption('FAILED');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL('**/runs?search=&status=FAILED&type=&review=&branch=&by=');

    await page.goto('/account');
    await page.locator('summary', { hasText: 'Sign out everywhere' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.waitForURL('**/sign-in');
    await page.getByLabel('Email address').fill('calm@example.org');
    await page.getByLabel('Password').fill('a password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${api.url}/`);
    await leave();
  });
});
