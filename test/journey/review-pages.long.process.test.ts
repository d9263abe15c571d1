import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { html, startSmallSite, type SmallSite } from '../support/small-site.ts';
import { SOON_AT_REST } from '../support/soon-at-rest.ts';
import { openVisitorsBrowser, visit } from '../support/visitor.ts';

let database: TestDatabase;
let dataDir: string;
let service: ServiceProcess;
let site: SmallSite;
let browser: Browser;

const links = '<a href="/">Home</a> <a href="/about">About</a> <a href="/prices">Prices</a>';
const prices = (color: string) =>
  html('<script>alert("Prices")</script>', `${links}<h1>Prices</h1><p style="background:${color}">10 a month</p>`);

const PASSWORD = 'correct horse';

/** So often does a person reload who has no scripts. */
const RELOAD_MS = 500;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-pages-'));
  site = await startSmallSite(
    new Map([
      ['/', html('Home', `${links}<h1>Home</h1>`)],
      ['/about', html('About us', `${links}<h1>About</h1>`)],
      ['/prices', prices('#eee')],
    ]),
  );
  service = await startServiceProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  browser = await openVisitorsBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.end();
  await site.stop();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });

/** The page updates itself. Without scripts it is reloaded, as a person would do. */
async function see(page: Page, scripts: boolean, what: Locator): Promise<void> {
  if (scripts) return what.first().waitFor();
  while (!(await what.first().isVisible())) {
    await new Promise((resolve) => setTimeout(resolve, RELOAD_MS));
    await page.reload();
  }
}

async function register(page: Page, email: string, name: string): Promise<void> {
  await page.goto('/');
  await link(page, 'Create an account').first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await button(page, 'Create account').click();
  await page.getByRole('link', { name: 'Suites' }).waitFor();
}

/** @param suite the path of its page, where this ends. */
async function settleSoon(page: Page, suite: string): Promise<void> {
  const settled = await page.request.patch(`/api/test-suites/${path.basename(suite)}`, {
    data: { config: SOON_AT_REST },
    headers: { origin: service.url },
  });
  expect(settled.status()).toBe(200);
  await page.goto(suite);
}

/** Ends on the suite's page, with all pages found and tracked. */
async function createSuite(page: Page): Promise<string> {
  await page.goto('/suites/new');
  await page.getByLabel('Name').fill('The site');
  await page.getByLabel('Base URL').fill(site.origin);
  await page.getByText('Options').click();
  await page.getByLabel('Track pages automatically').selectOption('off');
  await button(page, 'Create suite').click();
  await see(page, true, page.getByText('3 pages found'));
  const address = new URL(page.url()).pathname;
  await page.goto(address);
  for (const box of await page.locator('tbody').getByRole('checkbox').all()) await box.check();
  await button(page, 'Track').first().click();
  await page.getByRole('status').filter({ hasText: '3 pages' }).waitFor();
  return address;
}

async function run(page: Page, scripts: boolean, suite: string, outcome: string): Promise<void> {
  await page.goto(suite);
  await button(page, 'Run now').click();
  await see(page, scripts, page.getByText(outcome));
}

/** Decides, until the run's page is there. */
async function approveAll(page: Page, approve: () => Promise<void>): Promise<void> {
  await page.waitForLoadState();
  while (page.url().includes('/results/')) {
    const before = page.url();
    await approve();
    await page.waitForURL((url) => url.href !== before);
    await page.getByRole('status').filter({ hasText: 'Approved' }).waitFor();
  }
}

/** Goes from the run's page through what changed on the only page that did. */
async function approveByKeyboard(page: Page): Promise<void> {
  await link(page, /^Review \d/).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState();
  const mode = page.locator('[data-comparison]');
  for (const [key, name] of Object.entries({ w: 'swipe', o: 'onion', d: 'overlay', b: 'blink', s: 'side' })) {
    await page.keyboard.press(key);
    expect([key, await mode.getAttribute('data-mode')]).toEqual([key, name]);
  }
  await approveAll(page, async () => page.keyboard.press('a'));
}

async function approveByButton(page: Page): Promise<void> {
  await link(page, /^Review \d/).click();
  await approveAll(page, async () => button(page, /^Approve (change|screenshot)/).click());
}

async function compareVersions(page: Page, suite: string, name: string): Promise<void> {
  await page.goto(suite);
  await link(page, '/prices').first().click();
  await page.getByText('Version 2').first().waitFor();
  expect(await page.getByText(name).count()).toBeGreaterThan(0);
  await button(page, /^Compare/).click();
  await page
    .getByText(/% different/)
    .first()
    .waitFor();
  expect(await page.getByRole('combobox').count()).toBe(2);
}

/** @returns the path of the new suite's page, where it ends. */
async function getFirstBaselines(page: Page, scripts: boolean, name: string): Promise<string> {
  let clicks = 0;
  const click = async (label: string) => {
    clicks += 1;
    await button(page, label).click();
  };
  await page.goto('/register');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email address').fill(`${name}@example.com`);
  await page.getByLabel('Password').fill(PASSWORD);
  await click('Create account');
  await page.getByLabel('Base URL').fill(site.origin);
  // With scripts, the look begins by itself.
  if (scripts) {
    await page.keyboard.press('Tab');
    await page.getByText('First pages').waitFor();
  }
  await click('Create suite');
  await see(page, scripts, page.getByText('3 tracked automatically'));
  await see(page, false, page.getByText('The baselines are captured'));
  expect(clicks).toBe(2);
  return new URL(page.url()).pathname;
}

describe.each([
  { scripts: true, name: 'Ada', how: 'with scripts and by keyboard' },
  { scripts: false, name: 'Grace', how: 'without scripts' },
])('a newcomer, $how', ({ scripts, name }) => {
  it('gets to the first baselines in two clicks, and by a review to version 2 and its comparison', async () => {
    const { page, complaints, leave } = await visit(browser, service.url, { javaScriptEnabled: scripts });
    page.setDefaultTimeout(30_000);
    site.pages.set('/prices', prices('#eee'));
    const address = await getFirstBaselines(page, scripts, name);
    const suiteId = path.basename(address);
    const [suite] = await database.db('test_suites').where({ id: suiteId }).select('name');
    expect(suite?.name).toContain(scripts ? 'Home' : '127.0.0.1');
    expect(await database.db('baseline_versions').where({ test_suite_id: suiteId }).select('source')).toEqual(
      Array.from({ length: 6 }, () => ({ source: 'INITIAL' })),
    );

    await settleSoon(page, address);
    site.pages.set('/prices', prices('#fc0'));
    await run(page, scripts, address, 'Review required');
    await (scripts ? approveByKeyboard(page) : approveByButton(page));
    await compareVersions(page, address, name);

    expect(complaints).toEqual([]);
    await leave();
  });

  it('sees what is at an address before there is a suite', async () => {
    const { page, complaints, leave } = await visit(browser, service.url, { javaScriptEnabled: scripts });
    page.setDefaultTimeout(30_000);
    await register(page, `look${String(scripts)}@example.com`, 'Look');
    await page.goto('/suites/new');
    await page.getByLabel('Base URL').fill(site.origin);
    await page.getByLabel('Name').fill('Kept');
    await button(page, 'Preview site').click();
    await page.getByText('First pages').waitFor();
    await page.getByRole('img', { name: /^The top of/ }).waitFor();
    expect(await page.getByText('/prices').count()).toBe(1);
    expect(await page.getByLabel('Name').inputValue()).toBe('Kept');
    await page.getByLabel('Base URL').fill('127.0.0.1:9');
    await button(page, 'Preview site').click();
    await page
      .locator('#look')
      .getByText(/refused the connection/)
      .waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });
});

const roleOf = (page: Page) => page.getByLabel('Role', { exact: true });

describe('two accounts', () => {
  it('share a suite, and see only what the role allows', async () => {
    const owner = await visit(browser, service.url);
    const guest = await visit(browser, service.url);
    await register(owner.page, 'owner@example.com', 'Olga');
    await register(guest.page, 'guest@example.com', 'Gus');
    const suite = await createSuite(owner.page);
    expect((await guest.page.goto(suite))?.status()).toBe(404);

    await owner.page.goto(`${suite}/sharing`);
    await owner.page.getByLabel('Email address').fill('owner@example.com');
    await button(owner.page, 'Share').click();
    await owner.page.getByText('This account owns the suite').waitFor();
    expect(await owner.page.getByLabel('Email address').inputValue()).toBe('owner@example.com');
    await owner.page.getByLabel('Email address').fill('guest@example.com');
    await roleOf(owner.page).selectOption('VIEWER');
    await button(owner.page, 'Share').click();
    await owner.page.getByText('Gus').first().waitFor();

    expect((await guest.page.goto(suite))?.status()).toBe(200);
    for (const forbidden of ['Run now', 'Track', 'Crawl now']) {
      expect([forbidden, await button(guest.page, forbidden).count()]).toEqual([forbidden, 0]);
    }
    const posted = await guest.page.request.post(`${suite}/run`, { form: {}, headers: { origin: service.url } });
    expect(posted.status()).toBe(403);

    await owner.page.getByLabel(/^Role of Gus/).selectOption('EDITOR');
    await button(owner.page, /Change the role of Gus/).click();
    await owner.page.getByRole('status').first().waitFor();
    await guest.page.reload();
    expect(await button(guest.page, 'Run now').count()).toBe(1);
    expect([...owner.complaints, ...guest.complaints]).toEqual([]);
    await Promise.all([owner.leave(), guest.leave()]);
  });
});
