import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright';
import { SUITE_ROLES } from '../../src/access/role.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { openVisitorsBrowser, visit } from '../support/visitor.ts';
import { newScene, READS, type Scene } from './web-scene.ts';

let api: TestApi;
let browser: Browser;
let owner: Account;
let scene: Scene;
beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  owner = await api.account('owner');
  const bystander = await api.account('bystander');
  const members = new Map<string, Account>();
  for (const role of SUITE_ROLES) members.set(role, await api.account(role));
  scene = await newScene(api, { owner, bystander, members });
  const { changed, runId } = scene;
  for (const [at, result] of [null, changed.id, changed.id].entries()) {
    await api.ctx.db('change_requests').insert({
      test_run_id: runId,
      page_result_id: result,
      author_id: at === 2 ? bystander.user.id : owner.user.id,
      note: 'Too pale',
    });
  }
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

/** Pages that belong to nobody's suite. */
const OTHERS = ['/', '/runs', '/suites', '/suites/new', '/single-pages', '/single-pages/new', '/setup', '/account'];
const SIGNED_OUT = ['/sign-in', '/register', '/forgot-password'];

/** The parts of a page by which people find their way with a screen reader. */
const PARTS =
  /^\s*- '?(banner|complementary|contentinfo|dialog|form|group|main|navigation|region|search)\b(?: "(.*?)")?/;

/** Buttons that are disabled by themselves, and say nowhere why. */
const UNEXPLAINED = `[...document.querySelectorAll('button:disabled')]
  .filter((button) => button.closest('fieldset:disabled') === null)
  .filter((button) => {
    const note = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    return (button.title || note?.textContent || '').trim() === '';
  })
  .map((button) => button.textContent.trim() || button.getAttribute('aria-label'))`;

type Parts = { parts: { role: string; name: string }[]; unexplained: string[] };

/** Parts such as `region "Comparison"`. */
async function partsOf(page: Page, path: string): Promise<Parts> {
  await page.goto(path);
  const tree = await page.locator('body').ariaSnapshot();
  const unexplained = await page.evaluate<string[]>(UNEXPLAINED);
  const parts = tree.split('\n').flatMap((line) => {
    const [, role, name = ''] = PARTS.exec(line) ?? [];
    return role === undefined ? [] : [{ role, name }];
  });
  return { parts, unexplained };
}

const MAY_BE_UNNAMED = ['banner', 'main', 'group'];

const pages = (): string[] => [
  ...READS.filter(({ row, part, status = 200 }) => part !== true && status === 200 && !row.endsWith('.md')).map(
    ({ at }) => at(scene),
  ),
  `/runs/${scene.runId}/results/${scene.changed.id}?panel=comments`,
  ...OTHERS,
  '/account/tokens',
  '/account/email',
];

it('names every part of a page, no two alike, and says why a button is disabled', async () => {
  const faults: string[] = [];
  let counted = 0;
  const [member, stranger] = [await visit(browser, api.url, { token: owner.token }), await visit(browser, api.url)];
  const visits = [
    ...pages().map((path) => ({ path, page: member.page })),
    ...SIGNED_OUT.map((path) => ({ path, page: stranger.page })),
  ];
  for (const { path, page } of visits) {
    const { parts, unexplained } = await partsOf(page, path);
    counted += parts.length;
    const names = parts.map(({ name }) => name).filter((name) => name !== '');
    const twice = names.filter((name, at) => names.indexOf(name) !== at);
    const unnamed = parts.filter(({ role, name }) => name === '' && !MAY_BE_UNNAMED.includes(role));
    faults.push(
      ...twice.map((name) => `${path}: two parts are called ${name}`),
      ...unexplained.map((name) => `${path}: nothing says why ${name} is disabled`),
      ...unnamed.map(({ role }) => `${path}: a ${role} has no name`),
    );
  }
  expect(faults).toEqual([]);
  expect(counted).toBeGreaterThan(visits.length * 3);
  await Promise.all([member.leave(), stranger.leave()]);
});

it('has one heading of the first level on every page', async () => {
  const { page, leave } = await visit(browser, api.url, { token: owner.token });
  const counts: [path: string, headings: number][] = [];
  for (const path of pages()) {
    await page.goto(path);
    counts.push([path, await page.locator('h1').count()]);
  }
  expect(counts.filter(([, headings]) => headings !== 1)).toEqual([]);
  await leave();
});
