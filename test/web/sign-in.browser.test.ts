import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import { startTestApi, type TestApi } from '../support/api-client.ts';
import { axeViolationsInBothSchemes, openVisitorsBrowser, visit } from '../support/visitor.ts';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

describe('the sign-in page', () => {
  it('has no violation that axe finds, in light and dark', async () => {
    const { page, complaints, leave } = await visit(browser, api.url);
    await page.goto('/sign-in');
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('keeps the e-mail address when the password is wrong, and says so', async () => {
    const { page, leave } = await visit(browser, api.url);
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByLabel('Password').fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('password');
    expect(await page.getByLabel('Email').inputValue()).toBe('nobody@example.com');
    await leave();
  });
});
