import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import { startTestApi, type TestApi } from '../support/api-client.ts';
import { openVisitorsBrowser, visit } from '../support/visitor.ts';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

describe('a form', () => {
  it('that was refused begins at the first field that is wrong', async () => {
    const { page, complaints, leave } = await visit(browser, api.url);
    await page.goto('/register');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('password');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('is sent once, however often its button is clicked', async () => {
    const { page, leave } = await visit(browser, api.url, { token: (await api.account()).token });
    let posts = 0;
    page.on('request', (request) => {
      // The form also looks at the address, by a request of its own.
      if (request.method() === 'POST' && request.isNavigationRequest()) posts += 1;
    });
    await page.goto('/suites/new');
    await page.getByLabel('Name').fill('Once');
    await page.getByLabel('Base URL').fill('http://site.test');
    await page.getByRole('button', { name: 'Create' }).dblclick();
    await page.getByRole('heading', { name: 'Once' }).waitFor();
    expect(posts).toBe(1);
    expect((await api.ctx.db('test_suites').where({ name: 'Once' }).select('id')).length).toBe(1);
    await leave();
  });
});

describe('the account page', () => {
  it('needs no scrolling to the side at 400 %', async () => {
    const { page, leave } = await visit(browser, api.url, { token: (await api.account()).token });
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto('/account');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await leave();
  });
});
