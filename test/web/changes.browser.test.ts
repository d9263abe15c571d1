import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import { PNG } from 'pngjs';
import { replaceChanges } from '../../src/runs/results/change-store.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { changeOf } from '../support/changes.ts';
import { axeViolationsInBothSchemes, openVisitorsBrowser, visit } from '../support/visitor.ts';
import type { OwnSuite } from '../support/world.ts';
import { changed, runOf, siteOf } from './runs-fixture.ts';

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

/** In every result of the run, beside its other changes. */
async function alsoHears(): Promise<void> {
  for (const { id } of await api.ctx.db('page_results').where({ test_run_id: runId }).select('id')) {
    const heard = {
      kind: 'ACCESSIBILITY',
      element: 'button “Search”',
      summary: 'lost its name',
      informs: true,
    } as const;
    await replaceChanges(api.ctx.db, { id, testRunId: runId }, [changeOf('d'), changeOf('a', heard)]);
  }
  await api.ctx
    .db('page_results')
    .where({ test_run_id: runId })
    .update({ heard_ids: JSON.stringify(['a'.repeat(32)]) });
}

describe('the changes of a run', () => {
  it.each([1440, 375])('stand beside what assistive technology hears otherwise, at %i px', async (width) => {
    await alsoHears();
    const { page, complaints, leave } = await visitor({ viewport: { width, height: 812 } });
    for (const address of [`/runs/${runId}`, `/runs/${runId}/review`]) {
      await page.goto(address);
      const heard = page.locator('.heard');
      expect(await heard.locator('summary').textContent()).toContain('Assistive technology hears 1 difference');
      expect(await heard.locator('li').first().textContent()).toContain('button “Search” lost its name');
      expect(await axeViolationsInBothSchemes(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
    // It needs no decision of its own.
    expect(await page.locator('.verdict-bar').textContent()).not.toContain('Change 1 of 2');
    expect(complaints).toEqual([]);
    await leave();
  });

  it.each([1440, 375])(
    'have no violation that axe finds, in light and dark at %i px, and never scroll sideways',
    async (width) => {
      const { page, complaints, leave } = await visitor({ viewport: { width, height: 812 } });
      const isClean = async () => {
        expect(await axeViolationsInBothSchemes(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      };
      await page.goto(`/runs/${runId}`);
      await page.getByText('1 faint change').click();
      await isClean();
      await page.goto(`/runs/${runId}/review`);
      await page.waitForLoadState('load');
      for (const key of ['e', 't']) {
        await page.keyboard.press(key);
        await page.locator('.review-aside').waitFor();
        await isClean();
        await page.keyboard.press('Escape');
        await page.locator('.review-aside').waitFor({ state: 'detached' });
      }
      expect(complaints).toEqual([]);
      await leave();
    },
  );

  it('are walked by keys, each approved where it occurs', async () => {
    const { page, complaints, leave } = await visitor();
    await page.goto(`/runs/${runId}`);
    await page.getByRole('link', { name: 'Review 3 changes' }).click();
    const title = page.getByRole('heading', { level: 1 });
    await page.getByText('Change 1 of 3', { exact: true }).waitFor();
    expect(await title.textContent()).toContain('header.bar');
    const shown = async () => page.locator('.review-strip [aria-current]').getAttribute('title');
    expect(await shown()).toBe('/ at desktop');
    await page.waitForLoadState('load');
    await page.keyboard.press('l');
    await page.waitForFunction(() => document.title.includes('mobile'));
    expect(await shown()).toBe('/ at mobile');
    await page.keyboard.press('h');
    await page.waitForFunction(() => document.title.includes('desktop'));
    await page.keyboard.press('j');
    await page.getByText('Change 2 of 3', { exact: true }).waitFor();
    expect(await page.locator('#review-list [aria-current]').textContent()).toContain('3 items added');
    await page.keyboard.press('k');
    await page.getByText('Change 1 of 3', { exact: true }).waitFor();
    await page.keyboard.press('a');
    await page.getByText('Change 2 of 3', { exact: true }).waitFor();
    await page.waitForLoadState('load');
    await page.keyboard.press('z');
    await page.getByText('Undid 1 approval.').waitFor();
    await page.getByText('Change 1 of 3', { exact: true }).waitFor();
    await page.waitForLoadState('load');
    for (const next of ['Change 2 of 3', 'Change 3 of 3']) {
      await page.keyboard.press('a');
      await page.getByText(next, { exact: true }).waitFor();
      await page.waitForLoadState('load');
    }
    expect(await approved()).toBe(0);
    await page.keyboard.press('a');
    await page.getByText('Everything is approved').waitFor();
    await page.waitForLoadState('load');
    expect([await approved(), complaints]).toEqual([6, []]);
    await leave();
  });

  it('say what the one button acts on, and without a script that something has to be ticked', async () => {
    const { page, leave } = await visitor();
    await page.goto(`/runs/${runId}`);
    const button = page.locator('[data-ticked]');
    expect([await button.isEnabled(), await page.locator('.btn-primary').count()]).toEqual([false, 1]);
    await page.keyboard.press('Shift+A');
    // The faint one is folded, so nobody has seen it.
    expect(await button.textContent()).toContain('Approve 2 changes (6 screenshots)');
    await page.getByText('1 faint change').click();
    await page.locator('[data-tick=all]:not(:checked)').waitFor();
    await page.keyboard.press('Shift+A');
    expect(await button.textContent()).toContain('Approve 3 changes (6 screenshots)');
    await page.getByRole('checkbox', { name: /^Select Pixels changed/ }).uncheck();
    expect(await button.textContent()).toContain('Approve 2 changes (6 screenshots)');
    expect(await page.locator('.btn-primary').count()).toBe(1);
    await leave();
    const plain = await visitor({ javaScriptEnabled: false });
    await plain.page.goto(`/runs/${runId}`);
    await plain.page.getByLabel('Select background').check();
    await plain.page.getByRole('button', { name: 'Approve selected' }).click();
    await plain.page.getByText('Approved 1 change (6 screenshots).').waitFor();
    await plain.leave();
  });
});
