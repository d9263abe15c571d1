import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type TestApi } from '../support/api-client.ts';
import { axeViolations, openVisitorsBrowser, visit } from '../support/visitor.ts';
import { peopleOf, sharedSuite, type People } from './suites-fixture.ts';

let api: TestApi;
let browser: Browser;
let people: People;
let suite: SuiteForViewer;
beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  people = await peopleOf(api);
  suite = await sharedSuite(api, people);
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

const comeAs = async ({ token }: { token: string }, options = {}) => visit(browser, api.url, { token, ...options });

const summaries = async (page: Page) => page.locator('.rule-summary').allTextContents();
const settingsPath = () => `/suites/${suite.id}/settings`;

const openGroup = async (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click();

/** Writes two rules and changes their order; nothing is saved yet. */
async function writeRules(page: Page): Promise<void> {
  await page.goto(settingsPath());
  await page.getByLabel('Name', { exact: true }).first().fill('Renamed');
  await openGroup(page, 'Compare');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.locator('[name="config.rules.0.paths"]').fill('/blog/**');
  await page.locator('[name="config.rules.0.hide"]').fill('.ad\n.banner');
  await page.getByRole('checkbox', { name: 'mobile' }).check();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.locator('[name="config.rules.1.paths"]').fill('/shop');
  await page.locator('[name="config.rules.1.actions"]').fill('click .accept:hover');
  await page.getByRole('button', { name: 'Move up: rule 2' }).click();
  await page.locator('.rule:first-child .rule-summary', { hasText: 'On /shop: does 1 action' }).waitFor();
}

/** To the answer: what is said about an earlier one is still on the page until then. */
async function save(page: Page): Promise<void> {
  const answered = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await answered;
}

describe.each([
  ['with JavaScript', true],
  ['with JavaScript switched off', false],
])('the rules of a suite, %s', (_, javaScriptEnabled) => {
  it('are added, moved, refused, mended, saved and removed', async () => {
    const { page, complaints, leave } = await comeAs(people.editor, { javaScriptEnabled });
    await writeRules(page);
    await save(page);
    await page.getByText('Line 1: :hover cannot be used in rules').waitFor();
    await page.locator('[name="config.rules.0.actions"]').fill('click .accept');
    await save(page);
    await page.getByText('Settings saved').waitFor();
    expect(await summaries(page)).toEqual(['On /shop: does 1 action', 'On /blog/** at mobile: hides .ad, .banner']);
    expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Renamed');
    await openGroup(page, 'Compare');
    await page.getByRole('button', { name: 'Remove: rule 1' }).click();
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Remove: rule 1' }).click();
    await page.getByText('No rules yet').waitFor();
    await save(page);
    await page.getByText('Settings saved').waitFor();
    expect(await summaries(page)).toEqual([]);
    // A refused form is an answer with an error status, which the browser reports.
    expect(complaints.filter((each) => !each.includes('400'))).toEqual([]);
    await leave();
  });
});

describe('the rules of a suite', () => {
  it.each([
    ['light', 375],
    ['dark', 1440],
  ] as const)('have no violation that axe finds, and fit the window, in %s at %i px', async (colorScheme, width) => {
    const viewport = { width, height: 800 };
    const { page, leave } = await comeAs(people.editor, { colorScheme, viewport, reducedMotion: 'reduce' });
    await writeRules(page);
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await leave();
  });

  it('are not sent by Enter in another field of the form, which saves', async () => {
    const { page, leave } = await comeAs(people.editor);
    await writeRules(page);
    await page.locator('[name="config.rules.0.actions"]').fill('');
    await openGroup(page, 'Site');
    await page.locator('[name="config.maxPages"]').press('Enter');
    await page.getByText('Settings saved').waitFor();
    expect(await summaries(page)).toEqual(['On /shop: nothing yet', 'On /blog/** at mobile: hides .ad, .banner']);
    await leave();
  });
});
