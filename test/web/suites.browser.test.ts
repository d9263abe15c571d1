import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type TestApi } from '../support/api-client.ts';
import { axeViolations, openVisitorsBrowser, visit } from '../support/visitor.ts';
import { postForm } from '../support/web-form.ts';
import { changed, HOSTILE, passed, runOf, siteOf } from './runs-fixture.ts';
import { peopleOf, sharedSuite, type People } from './suites-fixture.ts';

let api: TestApi;
let browser: Browser;
let people: People;
/** A suite with a run. Its name and the title of a page are hostile. */
let site: SuiteForViewer;
beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  people = await peopleOf(api);
  site = await siteOf(api, people.owner.user, ['/', '/about', '/prices']);
  await runOf(api, site, { runType: 'MANUAL', results: { '/': changed, '/about': passed } });
  await postForm(api, '/single-pages/new', { url: 'http://site.test/one', name: HOSTILE }, people.owner);
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

const comeAs = async ({ token }: { token: string }, options = {}) => visit(browser, api.url, { token, ...options });

describe('the pages of suites', () => {
  const PATHS = (id: string) => [
    '/suites',
    '/suites/new',
    `/suites/${id}`,
    `/suites/${id}/runs`,
    `/suites/${id}/settings`,
    `/suites/${id}/sharing`,
    `/suites/${id}/repository?look=doctor`,
    '/single-pages',
    '/single-pages/new',
  ];

  it.each([
    ['light', 375],
    ['dark', 1280],
  ] as const)('have no violation that axe finds, and fit the window, in %s at %i px', async (colorScheme, width) => {
    const viewport = { width, height: 800 };
    const { page, complaints, leave } = await comeAs(people.owner, { colorScheme, viewport, reducedMotion: 'reduce' });
    const [singlePage] = await api.ctx.db('test_suites').where({ kind: 'MANUAL' }).select<{ id: string }[]>('id');
    for (const path of [...PATHS(site.id), `/suites/${singlePage?.id}`]) {
      await page.goto(path);
      await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true");
      expect({ path, violations: await axeViolations(page) }).toEqual({ path, violations: [] });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect({ path, overflow }).toEqual({ path, overflow: 0 });
      expect(await page.locator('h1').count()).toBe(1);
    }
    expect(complaints).toEqual([]);
    await leave();
  });

  it('print hostile titles as what they are', async () => {
    const { page, complaints, leave } = await comeAs(people.owner);
    await page.goto(`/suites/${site.id}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`Site ${HOSTILE}`);
    await page.getByText(HOSTILE, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('the list of pages', () => {
  it('keeps its actions in sight, and says why they are disabled', async () => {
    const paths = Array.from({ length: 40 }, (_, n) => `/p${n}`);
    const large = await siteOf(api, people.owner.user, paths);
    const { page, leave } = await comeAs(people.owner, { viewport: { width: 1440, height: 800 } });
    await page.goto(`/suites/${large.id}`);
    const untrack = page.getByRole('button', { name: 'Untrack' });
    expect([await untrack.isDisabled(), await untrack.getAttribute('title')]).toEqual([
      true,
      'Select pages below first',
    ]);
    await page.locator('.pages input').last().check();
    const box = await untrack.boundingBox();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300);
    expect(box !== null && box.y >= 0 && box.y + box.height <= 800).toBe(true);
    expect([await untrack.isDisabled(), await untrack.getAttribute('title')]).toEqual([false, '']);
    await leave();
  });
});

describe('with JavaScript switched off', () => {
  it('a suite is created, its pages chosen, run, shared and deleted', async () => {
    const { page, leave } = await comeAs(people.owner, { javaScriptEnabled: false });
    await page.goto('/suites/new');
    await page.getByLabel('Name').fill('By hand');
    await page.getByLabel('Base URL').fill('http://site.test');
    await page.getByRole('button', { name: 'Create suite' }).click();
    await page.getByText('Add page manually').click();
    await page.getByLabel('Path or URL').fill('/chosen');
    await page.getByRole('button', { name: 'Add and track' }).click();
    await page.getByRole('checkbox', { name: '/chosen' }).check();
    await page.getByRole('button', { name: 'Untrack' }).click();
    await page.getByText('1 page untracked').waitFor();
    expect(await page.getByRole('button', { name: 'Run now' }).count()).toBe(0);
    await page.getByRole('checkbox', { name: '/chosen' }).check();
    await page.getByRole('button', { name: 'Track', exact: true }).click();
    const home = page.url();
    await page.getByText('Run against a preview').click();
    await page.getByLabel('Preview URL').fill('http://preview.test');
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.waitForURL(/\/runs\//);
    await page.goto(`${home}/sharing`);
    await page.getByLabel('Email address').fill(people.viewer.user.email);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByText('Shared with viewer as Viewer').waitFor();
    await page.goto(`${home}/settings`);
    await page.getByLabel('Name', { exact: true }).fill('By hand again');
    await page.getByRole('link', { name: 'Capture' }).click();
    expect(await page.getByLabel('Name', { exact: true }).isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Site', exact: true }).click();
    await page.getByLabel('Maximum pages').fill('7');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings saved').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('By hand again');
    await page.getByText('Delete…').click();
    await page.getByLabel('Type the name to confirm').fill('By hand again');
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByText('Deleted By hand again').waitFor();
    await leave();
  });
});

describe('with JavaScript', () => {
  it('all pages that are shown are ticked at once, and the buttons wait for that', async () => {
    const { page, leave } = await comeAs(people.owner);
    await page.goto(`/suites/${site.id}`);
    const untrack = page.getByRole('button', { name: 'Untrack' });
    expect(await untrack.isDisabled()).toBe(true);
    await page.getByText('Delete…').click();
    expect(await page.getByText('Delete the selected pages?').isVisible()).toBe(false);
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByText('3 selected').waitFor();
    await page.getByRole('checkbox', { name: '/about' }).uncheck();
    await page.getByText('2 selected').waitFor();
    await untrack.click();
    await page.getByText('2 pages untracked').waitFor();
    await leave();
  });

  it('viewports are added, as many as one likes up to ten, and removed by their names', async () => {
    const { page, complaints, leave } = await comeAs(people.owner);
    await page.goto(`/suites/${site.id}/settings#viewports`);
    const add = page.getByRole('button', { name: 'Add viewport' });
    await add.click();
    for (const [number, name] of [
      [3, 'tablet'],
      [4, 'wide'],
    ] as const) {
      await page.getByLabel(`name of viewport ${number}`).fill(name);
      await page.getByLabel(`width of viewport ${number}`).fill('900');
      await page.getByLabel(`height of viewport ${number}`).fill('700');
    }
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings saved').waitFor();
    expect(new URL(page.url()).hash).toBe('#viewports');
    await page
      .getByRole('navigation', { name: 'Settings' })
      .locator('a[aria-current="true"]', { hasText: 'Capture' })
      .waitFor();
    expect(await page.getByLabel('name of viewport 4').inputValue()).toBe('wide');
    await page.getByRole('checkbox', { name: 'Remove tablet' }).check();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByRole('checkbox', { name: 'Remove tablet' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('name of viewport 3').inputValue()).toBe('wide');
    await add.click();
    for (let row = 5; row < 10; row += 1) await add.click();
    expect(await add.isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('the state of a crawl follows by itself, and the asking stops when it is over', async () => {
    const crawled = await sharedSuite(api, people, 'Crawled');
    await postForm(api, `/suites/${crawled.id}/add-page`, { address: '/' }, people.owner);
    await postForm(api, `/suites/${crawled.id}/crawl`, {}, people.owner);
    const { page, leave } = await comeAs(people.viewer);
    await page.goto(`/suites/${crawled.id}`);
    await page.getByText('Crawl queued').waitFor();
    await api.ctx
      .db('test_suites')
      .where({ id: crawled.id })
      .update({ crawl_status: 'FAILED', crawl_error: 'No answer' });
    await page.locator('#crawl-state').getByText('Crawl failed').waitFor();
    await page.getByRole('link', { name: 'Show updated pages' }).waitFor();
    expect(await page.locator('#main [hx-get]').count()).toBe(0);
    await leave();
  });
});
