import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { readRun } from '../support/requests.ts';
import { axeViolations, openVisitorsBrowser, visit } from '../support/visitor.ts';
import { broken, changed, fresh, logLines, passed, pending, runOf, settle, siteOf } from './runs-fixture.ts';

let api: TestApi;
let browser: Browser;
let owner: Account;
let suite: SuiteForViewer;
beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  owner = await api.account('owner');
  suite = await siteOf(api, owner.user, ['/', '/a', '/b', '/c']);
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

const MIXED = { '/': changed, '/a': fresh, '/b': broken, '/c': passed };
const approvedOf = async (runId: string) =>
  (await readRun(api.ctx, owner.user, runId, 'suite.read')).results.filter((result) => result.approved).length;
const visitor = (options = {}) => visit(browser, api.url, { token: owner.token, ...options });

describe('the page of a run', () => {
  it.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)(
    'has no violation that axe finds, in %s at %i px, and never scrolls sideways',
    async (colorScheme, width) => {
      const finished = await runOf(api, suite, { results: MIXED });
      const flying = await runOf(api, suite, { status: 'RUNNING', results: { ...MIXED, '/c': pending } });
      await logLines(api, finished.id, [{ type: 'WARNING', message: 'A long page was cut' }]);
      const { page, complaints, leave } = await visitor({ colorScheme, viewport: { width, height: 800 } });
      const sections = ['changed', 'new', 'error'].map((name) => `/runs/${finished.id}?view=pages&section=${name}`);
      const others = [`/runs/${flying.id}`, `/runs/${finished.id}/log`];
      for (const address of [`/runs/${finished.id}`, ...sections, ...others]) {
        await page.goto(address);
        for (const summary of await page.locator('main details.folded > summary').all()) await summary.click();
        expect(await axeViolations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      }
      await page.goto(`/runs/${finished.id}`);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Shift+A');
      expect(await page.locator('[data-ticked]').textContent()).toContain('Approve 4 screenshots');
      expect(complaints).toEqual([]);
      await leave();
    },
  );

  it("shows times in the browser's zone before the service knows it, in the same words as after", async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const { page, complaints, leave } = await visitor({ timezoneId: 'Asia/Tokyo' });
    const times = () =>
      page
        .locator('.run-facts time')
        .evaluateAll((all) => all.map((time) => [time.textContent, time.getAttribute('title')]));
    await page.goto(`/runs/${id}`);
    const corrected = await times();
    expect(corrected).toContainEqual([expect.anything(), expect.stringContaining('GMT+9')]);
    await page.reload();
    expect(await page.locator('html').getAttribute('data-zone')).toBe('Asia/Tokyo');
    expect(await times()).toEqual(corrected);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('ticks a page with its viewports, and approves what is ticked', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const { page, leave } = await visitor();
    await page.goto(`/runs/${id}`);
    await page.getByLabel('Select all results of /', { exact: true }).check();
    expect(await page.getByLabel('Select / at mobile').isChecked()).toBe(true);
    await page.getByLabel('Select / at mobile').uncheck();
    await page.getByLabel('Note for the approval').first().click();
    await page.getByLabel('Note for the approval (optional)').fill('as designed');
    await page.getByRole('button', { name: 'Approve 1 screenshot' }).click();
    await page.getByText('Approved 1 screenshot.').waitFor();
    expect(await approvedOf(id)).toBe(1);
    await leave();
  });

  it('narrows the results while somebody types, and the forms lead back to what is shown', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const { page, complaints, leave } = await visitor();
    await page.goto(`/runs/${id}?view=pages`);
    await page.keyboard.press('f');
    await page.keyboard.type('/a');
    await page.waitForURL(/search=%2Fa/);
    await page.locator('[data-status="Showing 1 page"]').waitFor({ state: 'attached' });
    expect(await page.getByLabel('Search by path').evaluate((input) => input === document.activeElement)).toBe(true);
    await page.getByLabel('Select all results of /a').check();
    await page.getByRole('button', { name: 'Approve 2 screenshots' }).click();
    await page.getByText('Approved 2 screenshots.').waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('/a');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('brings the next pages when the end comes near', async () => {
    const results = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`/p${n}`, changed]));
    const { id } = await runOf(api, suite, { results });
    const { page, leave } = await visitor();
    await page.goto(`/runs/${id}?view=pages`);
    await page.getByRole('link', { name: 'More pages' }).scrollIntoViewIfNeeded();
    await page.locator('article').nth(59).waitFor({ state: 'attached' });
    expect(await page.getByRole('link', { name: 'More pages' }).count()).toBe(0);
    await leave();
  });

  it('shows results as they come, and those of the finished run then', async () => {
    const results = { '/': changed, '/a': pending };
    const { id, resultIds } = await runOf(api, suite, { status: 'RUNNING', results });
    const { page, complaints, leave } = await visitor();
    const { page: waiting, leave: leaveWaiting } = await visitor();
    await page.goto(`/runs/${id}`);
    await waiting.goto(`/runs/${id}?section=pending`);
    expect(await waiting.locator('.shot').count()).toBe(2);
    await api.ctx.db('page_results').where({ id: resultIds[2] }).update({ current_file: 'a.png' });
    await settle(api, resultIds[2], { status: 'PASS', diffScore: 0 });
    await page.locator('.arrival', { hasText: '/a' }).locator('img').waitFor();
    await waiting.locator('.shot').nth(1).waitFor({ state: 'detached' });
    expect(await waiting.locator('.shot').count()).toBe(1);
    await leaveWaiting();
    await api.ctx.db('page_results').where({ test_run_id: id, status: 'PENDING' }).update({ status: 'PASS' });
    await api.ctx.db('test_runs').where({ id }).update({ status: 'COMPLETED', review_state: 'PENDING' });
    await page.getByText('2 screenshots to review').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('the results of a run', () => {
  it('keep the bar with the approvals in sight', async () => {
    const results = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`/p${n}`, changed]));
    const { id } = await runOf(api, suite, { results });
    const { page, leave } = await visitor({ viewport: { width: 1440, height: 800 } });
    await page.goto(`/runs/${id}`);
    const approve = page.getByRole('button', { name: 'Approve selected' });
    expect([await approve.isDisabled(), await approve.getAttribute('title')]).toEqual([
      true,
      'Select changes or screenshots to approve them',
    ]);
    await page.locator('.group').last().scrollIntoViewIfNeeded();
    await page.locator('.group').last().getByRole('checkbox').first().check();
    const box = await page.getByRole('button', { name: 'Approve 2 screenshots' }).boundingBox();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(500);
    expect(box !== null && box.y >= 0 && box.y + box.height <= 800).toBe(true);
    await leave();
  });

  it('say how much is decided', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const { page, leave } = await visitor();
    await page.goto(`/runs/${id}`);
    const bar = page.getByRole('progressbar', { name: 'Decided results' });
    const total = await bar.getAttribute('max');
    expect(await bar.getAttribute('value')).toBe('0');
    await page.getByLabel('Select all results of /a').check();
    await page.getByRole('button', { name: 'Approve 2 screenshots' }).click();
    await page.getByText(`2 of ${total} decided`).waitFor();
    expect(await bar.getAttribute('value')).toBe('2');
    await leave();
  });

  it.each([true, false])(
    'are in a list or a grid, as the account has chosen (scripts: %s)',
    async (javaScriptEnabled) => {
      const { id } = await runOf(api, suite, { results: MIXED });
      const { page, leave } = await visitor({ javaScriptEnabled });
      await page.goto(`/runs/${id}?section=changed`);
      const widths: number[] = [];
      for (const layout of ['Grid', 'List']) {
        await page.getByRole('button', { name: layout }).click();
        await page.locator(`[name=resultLayout][aria-pressed=true]`, { hasText: layout }).waitFor();
        expect(new URL(page.url()).searchParams.get('section')).toBe('changed');
        widths.push((await page.locator('.shot-image').first().boundingBox())?.width ?? 0);
      }
      expect(widths[0]).toBeGreaterThan(150);
      expect(widths[1]).toBe(96);
      await leave();
    },
  );
});

describe('the filter of results', () => {
  it('fits a narrow window whatever a viewport is called', async () => {
    const viewports = ['mobile', 'wide'.repeat(16)].map((name) => ({ name, width: 800, height: 600 }));
    const config = JSON.stringify({ ...suite.config, viewports });
    const { id } = await runOf(api, suite, { results: MIXED, columns: { config } });
    const { page, leave } = await visitor({ viewport: { width: 375, height: 812 } });
    await page.goto(`/runs/${id}?view=pages`);
    await page.getByRole('combobox', { name: 'Viewport' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
    await leave();
  });
});

describe('the comments of a run', () => {
  it('stay within a narrow window, whoever wrote them about whatever page', async () => {
    const path = `/${'long'.repeat(60)}`;
    const { id, resultIds } = await runOf(api, suite, { results: { [path]: changed } });
    const about = { test_run_id: id, page_result_id: resultIds[0], author_id: owner.user.id, body: 'Too pale' };
    await api.ctx.db('comments').insert(about);
    const { page, leave } = await visitor({ viewport: { width: 375, height: 812 } });
    await page.goto(`/runs/${id}`);
    await page.getByText('Too pale').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
    await leave();
  });
});

describe('what disguises itself', () => {
  const turned = '\u202e';

  it('is seen in a name, and turns nothing round beside it', async () => {
    const pull = {
      git_owner: 'o',
      git_repo: 'r',
      git_pr_number: 1,
      git_title: `Fix ${turned}redaeh eht`,
      git_head_sha: 'a'.repeat(40),
    };
    const { id } = await runOf(api, suite, {
      runType: 'PR',
      results: MIXED,
      columns: { ...pull, git_branch: 'topic' },
    });
    const { id: other } = await runOf(api, suite, { results: MIXED, columns: { git_branch: `ma${turned}ni` } });
    const { page, leave } = await visitor();
    await page.goto(`/runs/${id}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(
      /^ #\d+ Pull request #1: Fix \uFFFDredaeh eht topic$/,
    );
    await page.goto(`/runs/${other}`);
    expect(await page.title()).toContain('ma\uFFFDni');
    // Otherwise the search would look for something else the next time.
    const search = page.getByLabel('Search by path');
    await page.goto(`/runs/${other}?view=pages&search=${encodeURIComponent(turned)}`);
    expect(await search.inputValue()).toBe(turned);
    await leave();
  });
});

it('says where a screenshot is lost of which a list would show a part', async () => {
  const { id } = await runOf(api, suite, { results: { '/': changed } });
  const lost = `suites/${suite.id}/${'ef'.repeat(32)}.png`;
  await api.ctx.db('page_results').where({ test_run_id: id, viewport: 'mobile' }).update({ current_file: lost });
  const { page, leave } = await visitor();
  await page.goto(`/runs/${id}`);
  const link = (viewport: string) => page.getByRole('link', { name: `/ at ${viewport}` });
  await link('mobile').getByAltText('Image missing').waitFor();
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  expect(await link('desktop').getByAltText('Image missing').count()).toBe(0);
  await leave();
});

describe('without a script', () => {
  it('is read, narrowed and approved', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const { page, leave } = await visitor({ javaScriptEnabled: false });
    await page.goto(`/runs/${id}?view=pages`);
    await page.getByLabel('Search by path').fill('/a');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Select all results of /a').check();
    await page.getByRole('button', { name: 'Approve selected' }).click();
    await page.getByText('Approved 2 screenshots.').waitFor();
    await page.getByRole('link', { name: 'Clear' }).click();
    await page.getByLabel('Select all results of /', { exact: true }).check();
    await page.getByRole('button', { name: 'Approve selected' }).click();
    await page.getByText('Approved 2 screenshots.').waitFor();
    expect(await approvedOf(id)).toBe(4);
    await leave();
  });

  it('is cancelled, after a question', async () => {
    const { id } = await runOf(api, suite, { status: 'RUNNING', results: { '/': pending } });
    const { page, leave } = await visitor({ javaScriptEnabled: false });
    await page.goto(`/runs/${id}`);
    await page.locator('summary', { hasText: 'Cancel run' }).click();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByText('Run cancelled').waitFor();
    expect((await readRun(api.ctx, owner.user, id, 'suite.read')).run.status).toBe('CANCELLED');
    await leave();
  });
});
