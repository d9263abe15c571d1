import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import { PNG } from 'pngjs';
import type { Account, TestApi } from '../support/api-client.ts';
import { startTestApi } from '../support/api-client.ts';
import { changeOf } from '../support/changes.ts';
import { axeViolationsInBothSchemes, openVisitorsBrowser, visit } from '../support/visitor.ts';
import { replaceChanges } from '../../src/runs/results/change-store.ts';
import { changed, runOf, siteOf } from './runs-fixture.ts';
import type { OwnSuite } from '../support/world.ts';

const PATHS = ['/', '/a-page-with-a-rather-long-address/and-more/of-it', '/b'];

let api: TestApi;
let browser: Browser;
let owner: Account;
let suite: OwnSuite;
let runId: string;

/** 800 by 600 px: a bar of this color at the top. */
function drawn(bar: number): Buffer {
  const png = new PNG({ width: 800, height: 600 });
  png.data.fill(255);
  for (let pixel = 0; pixel < 800 * 72; pixel += 1) png.data.fill(bar, pixel * 4, pixel * 4 + 3);
  return PNG.sync.write(png);
}

beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  owner = await api.account('owner');
  suite = await siteOf(api, owner.user, PATHS);
  await api.ctx.storage.put(`suites/${suite.id}/${'ab'.repeat(32)}.png`, drawn(80));
  await api.ctx.storage.put(`suites/${suite.id}/${'cd'.repeat(32)}.png`, drawn(200));
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

beforeEach(async () => {
  ({ id: runId } = await runOf(api, suite, { results: Object.fromEntries(PATHS.map((path) => [path, changed])) }));
  await api.ctx
    .db('page_results')
    .where({ test_run_id: runId })
    .update({ baseline_file: `suites/${suite.id}/${'cd'.repeat(32)}.png` });
  const bar = { x: 0, y: 0, width: 800, height: 72 };
  const list = { x: 20, y: 300, width: 200, height: 80 };
  for (const { id, path } of await api.ctx.db('page_results').where({ test_run_id: runId }).select('id', 'path')) {
    await replaceChanges(api.ctx.db, { id, testRunId: runId }, [
      changeOf('d', { element: 'header.bar', baselineBox: bar, currentBox: bar }),
      ...(path === '/b'
        ? [
            changeOf('e', {
              kind: 'ADDED',
              element: 'ul.related',
              summary: '3 items added',
              baselineBox: null,
              currentBox: list,
            }),
          ]
        : []),
      changeOf('f', { kind: 'PIXELS', element: 'main p', summary: 'pixels changed', faint: true }),
    ]);
  }
});

const visitor = (options = {}) => visit(browser, api.url, { token: owner.token, ...options });
const approved = async () =>
  (await api.ctx.db('page_results').where({ test_run_id: runId, approved: true }).select('path')).length;

describe('the changes of a run', () => {
  it.each([1440, 375])(
    'have no violation that axe finds, in light and dark at %i px, and never scroll sideways',
    async (width) => {
      const { page, complaints, leave } = await visitor({ viewport: { width, height: 800 } });
      await page.goto(`/runs/${runId}`);
      for (const summary of await page.locator('.changes details > summary').all()) await summary.click();
      expect(await axeViolationsInBothSchemes(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      const images = page.locator('.change-crops img');
      // Three changes at two viewports, one of them without a place in the baseline.
      expect(await images.count()).toBe(10);
      await images.last().scrollIntoViewIfNeeded();
      await page.locator('.change-where a').first().click();
      await page.locator('.result-changes').waitFor();
      expect(await axeViolationsInBothSchemes(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      expect(complaints).toEqual([]);
      await leave();
    },
  );

  it.each([1440, 375])('come in variants, each to be looked at before it is approved, at %i px', async (width) => {
    const { page, complaints, leave } = await visitor({ viewport: { width, height: 800 } });
    const bar = { x: 0, y: 0, width: 800, height: 72 };
    const rows = api.ctx.db('page_results').where({ test_run_id: runId, path: '/b' });
    for (const { id } of await rows.select('id')) {
      await replaceChanges(api.ctx.db, { id, testRunId: runId }, [
        changeOf('d', {
          element: 'header.bar',
          baselineBox: bar,
          currentBox: bar,
          shownBox: bar,
          picture: '1'.repeat(32),
        }),
      ]);
    }
    await page.goto(`/runs/${runId}`);
    expect(await page.locator('.variant').count()).toBe(2);
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.getByRole('link', { name: /^Approve change in 2 variants…/ }).click();
    await page.getByRole('heading', { name: 'Variant 2' }).waitFor();
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    const last = page.locator('.change-crops img').last();
    await last.scrollIntoViewIfNeeded();
    await page.waitForFunction('[...document.images].at(-1).naturalWidth > 0');
    await page.getByLabel('Leave out').last().check();
    await page.getByRole('button', { name: 'Approve change in 2 variants' }).click();
    await page.getByText('Approved 1 change (0 results)').waitFor();
    await page.getByRole('link', { name: /^Approve change in 2 variants…/ }).click();
    await page.getByRole('button', { name: 'Approve 1 of 2 variants' }).click();
    await page.getByText('Approved 1 change (2 results)').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('say how many are approved, and why not when none is left', async () => {
    const { page, leave } = await visitor();
    await page.goto(`/runs/${runId}`);
    await page.getByText('Approve all 3 changes…').click();
    const button = page.locator('.changes .confirm-panel button');
    expect(await button.textContent()).toBe('Approve all 3 changes');
    await page.getByText('1 faint change').click();
    const boxes = page.getByRole('checkbox', { name: /^Select (main|header|ul)/ });
    await boxes.first().check();
    await page.getByText('Approve all but 1…').click();
    expect([await button.textContent(), await button.isEnabled()]).toEqual(['Approve 2 changes', true]);
    await boxes.nth(1).check();
    await boxes.nth(2).check();
    expect([await button.isEnabled(), await button.getAttribute('title')]).toEqual([
      false,
      'Every change is selected, so none is left to approve',
    ]);
    await leave();
  });

  it('are approved but for those that are ticked, without a script too', async () => {
    const { page, leave } = await visitor({ javaScriptEnabled: false });
    await page.goto(`/runs/${runId}`);
    await page.getByText('1 faint change').click();
    await page.getByLabel('Select main p: pixels changed').check();
    await page.getByText('Approve all but selected…').click();
    await page.getByRole('button', { name: 'Approve all but selected' }).click();
    await page.getByText('Approved 2 changes (0 results)').waitFor();
    expect(await approved()).toBe(0);
    await page.getByText('1 faint change').click();
    await page.getByRole('button', { name: /^Approve change.*pixels changed$/ }).click();
    await page.getByText('Approved 1 change (6 results)').waitFor();
    expect(await approved()).toBe(6);
    await leave();
  });
});
