import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { axeViolationsInBothSchemes, openVisitorsBrowser, visit } from '../support/visitor.ts';
import { HOSTILE, pageId, paint, suiteOf, version } from './review-fixture.ts';

let api: TestApi;
let browser: Browser;
let owner: Account;
let page: string;
beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  owner = await api.account('owner');
  const suite = await suiteOf(api, owner.user, ['/a']);
  for (let at = 0; at < 3; at += 1) {
    const note = `Because ${HOSTILE}`;
    await version(api, suite, '/a', await paint({ width: 600, height: 400 + at * 60 }), { by: owner.user.id, note });
  }
  page = `/suites/${suite.id}/pages/${await pageId(api, suite, '/a')}`;
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

describe('the history of a page', () => {
  it('has no violation that axe finds, in light and dark', async () => {
    const { page: tab, complaints, leave } = await visit(browser, api.url, { token: owner.token });
    await tab.goto(page);
    expect(await axeViolationsInBothSchemes(tab)).toEqual([]);
    await tab.getByRole('button', { name: 'Compare selected' }).click();
    await tab.waitForURL('**/compare**');
    expect(await axeViolationsInBothSchemes(tab)).toEqual([]);
    await tab.keyboard.press('w');
    await tab.locator('img-comparison-slider.rendered').waitFor();
    expect(await axeViolationsInBothSchemes(tab)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('compares any two and restores one, without JavaScript', async () => {
    const options = { token: owner.token, javaScriptEnabled: false, viewport: { width: 375, height: 800 } };
    const { page: tab, leave } = await visit(browser, api.url, options);
    await tab.goto(page);
    await tab.getByRole('group', { name: 'Compare version 1 ' }).getByLabel('Before').check();
    await tab.getByRole('group', { name: 'Compare version 3 ' }).getByLabel('After').check();
    await tab.getByRole('button', { name: 'Compare selected' }).click();
    await tab.waitForURL('**/compare**');
    expect(await tab.locator('.comparison-label').allTextContents()).toEqual([
      expect.stringContaining('Version 1'),
      expect.stringContaining('Version 3'),
    ]);
    await tab.getByRole('link', { name: 'Swap' }).click();
    await tab.locator('.comparison-label').first().filter({ hasText: 'Version 3' }).waitFor();
    await tab.goto(page);
    await tab.getByText('Restore…').last().click();
    await tab.getByRole('button', { name: 'Restore version 1' }).click();
    expect(await tab.locator('.notice[role=status]').textContent()).toContain('as version 4');
    await leave();
  });

  it('is compared within the window, however long its path is', async () => {
    const path = `/${'W'.repeat(300)}`;
    const suite = await suiteOf(api, owner.user, [path]);
    const { id } = await version(api, suite, path, await paint({ width: 600, height: 400 }));
    for (const width of [375, 1440]) {
      const options = { token: owner.token, viewport: { width, height: 800 } };
      const { page: tab, leave } = await visit(browser, api.url, options);
      await tab.goto(`/suites/${suite.id}/pages/${await pageId(api, suite, path)}/compare?from=${id}&to=${id}`);
      const beyond = await tab.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([width, beyond]).toEqual([width, 0]);
      await leave();
    }
  });

  it('compares a screenshot with the one that it is dragged onto', async () => {
    const { page: tab, complaints, leave } = await visit(browser, api.url, { token: owner.token });
    await tab.goto(page);
    const entry = (name: string) => tab.getByRole('listitem').filter({ has: tab.getByRole('heading', { name }) });
    await entry('Version 1').getByRole('img').dragTo(entry('Version 3').getByRole('img'));
    await tab.waitForURL('**/compare?from=**');
    expect(await tab.locator('.comparison-label').allTextContents()).toEqual([
      expect.stringContaining('Version 1'),
      expect.stringContaining('Version 3'),
    ]);
    expect(complaints).toEqual([]);
    await leave();
  });
});
