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
  await changeSettings(api, runId);
  const crawl_stats = JSON.stringify({ pagesFound: 1000, pagesAdded: 1000, pagesRemoved: 1000, durationMs: 1 });
  const crawled = { crawl_status: 'COMPLETED', last_crawled_at: new Date(), crawl_stats } as const;
  await api.ctx.db('test_suites').where({ id: scene.suite.id }).update(crawled);
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

/** As a pull request that changes how it is judged. */
async function changeSettings({ ctx: { db } }: TestApi, runId: string): Promise<void> {
  const { config } = await db('test_runs').where({ id: runId }).first('config');
  const difference = { field: 'failureThreshold', before: '0', after: '5', effect: 'LOOSENS', applies: 'NOW' };
  await db('settings_changes').insert({
    test_run_id: runId,
    differences: JSON.stringify([{ ...difference, pages: null, paths: [], viewports: [] }]),
    own: JSON.stringify({ config: {}, file: [] }),
    base_config: JSON.stringify(config),
  });
  await db('test_runs').where({ id: runId }).update({ settings_hash: 'a1b2' });
}

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
  `/runs/${scene.runId}?view=pages`,
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

/** The levels of the headings, without those of dialogs. */
const LEVELS = `[...document.querySelectorAll('main :is(h1, h2, h3, h4)')]
  .filter((heading) => heading.closest('dialog') === null)
  .map((heading) => Number(heading.localName.slice(1)))`;

it('has one heading of the first level on every page, and below it skips none', async () => {
  const { page, leave } = await visit(browser, api.url, { token: owner.token });
  const faults: string[] = [];
  for (const path of pages()) {
    await page.goto(path);
    const levels = await page.evaluate<number[]>(LEVELS);
    const isSkipped = levels.some((level, at) => level > (levels[at - 1] ?? 0) + 1);
    if (isSkipped || levels.filter((level) => level === 1).length !== 1) faults.push(`${path}: ${levels.join(' ')}`);
  }
  expect(faults).toEqual([]);
  await leave();
});

/** px. Between two of them, a row of buttons breaks at another place. */
const WIDTHS = [320, 375, 480, 640, 720, 800, 920, 1040, 1100, 1200, 1300];

/** What opens with a button, one by one, and is to the left or the right of what the window shows. */
const BEYOND = `[...document.querySelectorAll('details')].filter((each) => each.checkVisibility()).flatMap((each) => {
  const wasOpen = each.open;
  each.open = true;
  const [summary, ...parts] = each.children;
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const isBeyond = boxes.some(({ left, right, width }) => width > 0 && (left < 0 || right > innerWidth));
  const isWide = document.documentElement.scrollWidth > innerWidth;
  each.open = wasOpen;
  return isBeyond || isWide ? [summary.getAttribute('aria-label') ?? summary.textContent.trim()] : [];
})`;

it('keeps what a button opens within the window, however wide that is', async () => {
  const { page, leave } = await visit(browser, api.url, { token: owner.token });
  const faults: string[] = [];
  for (const path of pages()) {
    await page.goto(path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const beyond = await page.evaluate<string[]>(BEYOND);
      faults.push(...beyond.map((name) => `${path} at ${width}: ${name}`));
    }
  }
  expect(faults).toEqual([]);
  await leave();
});

/** What can be pressed, and is where a box cuts off its content. */
const CUT_OFF = `[...document.querySelectorAll('a, button, input, select, summary')].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  if (width < 2 || !each.checkVisibility()) return false;
  for (let box = each.parentElement; box !== null; box = box.parentElement) {
    if (['auto', 'scroll'].includes(getComputedStyle(box).overflowX)) return false;
    const edges = box.getBoundingClientRect();
    const isCut = right > edges.right + 1 || left < edges.left - 1;
    if (isCut && ['hidden', 'clip'].includes(getComputedStyle(box).overflowX)) return true;
  }
  return false;
}).map((each) => each.getAttribute('aria-label') ?? each.textContent.trim())`;

it('cuts off nothing that can be pressed on a narrow screen', async () => {
  const { page, leave } = await visit(browser, api.url, { token: owner.token, viewport: { width: 375, height: 812 } });
  const faults: string[] = [];
  for (const path of [...pages(), `/runs/${scene.runId}/results/${scene.changed.id}?mode=blink`]) {
    await page.goto(path);
    const cut = await page.evaluate<string[]>(CUT_OFF);
    faults.push(...cut.map((name) => `${path}: ${name}`));
  }
  expect(faults).toEqual([]);
  await leave();
});

/** What another box lies on when it gets the focus, from the first to the last and back. */
const UNDER_OTHERS = `(() => {
  const controls = [...document.querySelectorAll('main :is(a[href], button, input, select, textarea, summary)')];
  const seen = controls.filter((each) => each.checkVisibility() && !each.disabled && each.type !== 'hidden');
  const isUnder = (each) => {
    each.focus();
    const { left, top, width, height } = each.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    const bar = found?.closest('.settings-save, .run-bar, .bulk');
    return document.activeElement === each && bar !== null && bar !== undefined && !bar.contains(each);
  };
  const under = [...seen, ...seen.toReversed()].filter(isUnder);
  return [...new Set(under)].map((each) => each.getAttribute('aria-label') ?? each.id + each.textContent.trim());
})()`;

it.each([375, 1280])('shows what has the focus, and no bar over it, at %i px', async (width) => {
  const viewport = { width, height: 700 };
  const { page, leave } = await visit(browser, api.url, { token: owner.token, viewport });
  const faults: string[] = [];
  for (const path of [...pages(), `/runs/${scene.runId}?view=pages`]) {
    await page.goto(path);
    const under = await page.evaluate<string[]>(UNDER_OTHERS);
    faults.push(...under.map((name) => `${path}: ${name}`));
  }
  expect(faults).toEqual([]);
  await leave();
});
