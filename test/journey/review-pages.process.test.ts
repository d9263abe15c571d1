import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright';
import type { TestDatabase } from '../support/database.ts';
import { createTestDatabase } from '../support/database.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startServiceProcess } from '../support/service-process.ts';
import type { SmallSite } from '../support/small-site.ts';
import { html, startSmallSite } from '../support/small-site.ts';
import { openVisitorsBrowser, visit } from '../support/visitor.ts';

let database: TestDatabase;
let dataDir: string;
let service: ServiceProcess;
let site: SmallSite;
let browser: Browser;

const links = '<a href="/">Home</a> <a href="/about">About</a> <a href="/prices">Prices</a>';
const prices = (colour: string) =>
  html('<script>alert("Prices")</script>', `${links}<h1>Prices</h1><p style="background:${colour}">10 a month</p>`);

const PASSWORD = 'correct horse';

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

/** The page tells what goes on by itself; without scripts it is asked again, as a person would. */
async function see(page: Page, scripts: boolean, what: Locator): Promise<void> {
  if (scripts) await what.first().waitFor();
  else while (!(await what.first().isVisible())) await page.reload();
}

async function register(page: Page, email: string, name: string): Promise<void> {
  await page.goto('/');
  await link(page, 'Create an account').first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await button(page, 'Create account').click();
  await page.getByRole('link', { name: 'Suites' }).waitFor();
}

/** Leaves the suite's page open, with its pages found and every one of them tracked. */
async function createSuite(page: Page, scripts: boolean): Promise<string> {
  await page.goto('/suites/new');
  await page.getByLabel('Name').fill('The site');
  await page.getByLabel('Base URL').fill(site.origin);
  await button(page, 'Create the suite').click();
  await see(page, scripts, page.getByText('3 pages found'));
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

async function approveByKeyboard(page: Page): Promise<void> {
  await page.locator('a[href*="/results/"]').first().click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const key of ['w', 'o', 'd', 'b', 's', 'j', 'k']) await page.keyboard.press(key);
  await page.keyboard.press('a');
}

describe.each([
  { scripts: true, name: 'Ada', how: 'with scripts and by keyboard' },
  { scripts: false, name: 'Grace', how: 'without scripts' },
])('a review, $how', ({ scripts, name }) => {
  it('goes from an account to version 2 and its comparison', async () => {
    const { page, complaints, leave } = await visit(browser, service.url, { javaScriptEnabled: scripts });
    page.setDefaultTimeout(20_000);
    site.pages.set('/prices', prices('#eee'));
    await register(page, `${name}@example.com`, name);
    const suite = await createSuite(page, scripts);
    await run(page, scripts, suite, 'No changes');

    site.pages.set('/prices', prices('#fc0'));
    await run(page, scripts, suite, 'Review required');
    if (scripts) await approveByKeyboard(page);

    expect(complaints).toEqual([]);
    await leave();
  }, 120_000);
});
