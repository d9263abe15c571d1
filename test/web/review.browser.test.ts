import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright';
import { startTestApi } from '../support/api-client.ts';
import type { Account, TestApi } from '../support/api-client.ts';
import { axeViolations, openVisitorsBrowser, visit } from '../support/visitor.ts';
import type { Visit, Visitor } from '../support/visitor.ts';
import { HOSTILE, paint, reviewRun, suiteOf } from './review-fixture.ts';

const MODES = ['side', 'swipe', 'onion', 'overlay', 'blink', 'single'];
const TALL = { width: 1280, height: 7000 };
const HOSTILE_PATH = `/x?q=${HOSTILE}`;

let api: TestApi;
let browser: Browser;
let owner: Account;
let run: { id: string; results: Record<string, string> };

/** In order of change: `/wide`, `/tall`, the hostile one, then `/new` and `/broken`. `/same` is collapsed. */
async function newRun() {
  const suite = await suiteOf(api, owner.user, ['/tall', '/wide', '/new', '/same', HOSTILE_PATH]);
  const small = { width: 600, height: 400 };
  return reviewRun(api, suite, {
    '/tall': {
      baseline: await paint(TALL),
      current: await paint(TALL, [
        { x: 300, y: 900 },
        { x: 700, y: 5900 },
      ]),
    },
    '/wide': {
      baseline: await paint({ width: 1280, height: 900 }),
      current: await paint({ width: 1000, height: 1300 }),
    },
    '/new': { current: await paint(small) },
    '/broken': { error: `It answered 500 ${HOSTILE}` },
    '/same': { baseline: await paint(small), current: await paint(small) },
    [HOSTILE_PATH]: { baseline: await paint(TALL), current: await paint(TALL, [{ x: 10, y: 2000 }]) },
  });
}

beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  owner = await api.account('owner');
  run = await newRun();
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

const addressOf = (path: string, query = '', of = run) => `/runs/${of.id}/results/${of.results[path]}${query}`;

async function open(path: string, options: Visit & { query?: string; of?: typeof run } = {}): Promise<Visitor> {
  const { query, of, ...visitOptions } = options;
  const visitor = await visit(browser, api.url, { token: owner.token, ...visitOptions });
  await visitor.page.goto(addressOf(path, query, of));
  return visitor;
}

const heading = async (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
const comparison = (page: Page) => page.locator('[data-comparison]');
const layers = async (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.comparison-layer[role=img]')]
      .filter((layer) => layer.checkVisibility({ visibilityProperty: true }))
      .map((layer) => layer.getAttribute('class')?.replace('comparison-layer comparison-', '') ?? ''),
  );

describe('the review of a result', () => {
  it.each(['light', 'dark'] as const)('has no violation that axe finds in any mode, in %s', async (colorScheme) => {
    const { page, complaints, leave } = await open('/tall', { colorScheme });
    for (const mode of MODES) {
      await page.goto(addressOf('/tall', `?mode=${mode}`));
      expect(await axeViolations(page)).toEqual([]);
    }
    for (const path of ['/new', '/broken', '/same', HOSTILE_PATH]) {
      await page.goto(addressOf(path));
      expect(await axeViolations(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await leave();
  });

  it('goes from result to result by keys, with the list in step', async () => {
    const { page, complaints, leave } = await open('/wide');
    const list = page.getByRole('navigation', { name: 'Results of this run' });
    expect(await page.getByText('1 of 5').count()).toBe(1);
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 1, name: '/tall' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(addressOf('/tall'));
    expect(await page.title()).toContain('/tall at desktop');
    expect(await list.locator('[aria-current]').textContent()).toContain('/tall');
    for (const path of [HOSTILE_PATH, '/new', '/broken']) {
      await page.keyboard.press('j');
      await page.getByRole('heading', { level: 1, name: path, exact: true }).waitFor();
    }
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { level: 1, name: '/same' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('heading', { level: 1, name: '/broken' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { level: 1, name: '/new' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: '/broken' }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('changes the mode by keys, keeps it in the address, and takes it along', async () => {
    const { page, complaints, leave } = await open('/wide');
    expect(await layers(page)).toEqual(['baseline', 'current']);
    for (const [key, mode] of Object.entries({ w: 'swipe', o: 'onion', d: 'overlay', b: 'blink', s: 'side' })) {
      await page.keyboard.press(key);
      expect(new URL(page.url()).searchParams.get('mode')).toBe(mode);
      expect(await comparison(page).getAttribute('data-mode')).toBe(mode);
    }
    await page.keyboard.press('d');
    expect(await layers(page)).toEqual(['current', 'difference']);
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 1, name: '/tall' }).waitFor();
    expect(await comparison(page).getAttribute('data-mode')).toBe('overlay');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('shows one of the two while an arrow is held', async () => {
    const { page, leave } = await open('/wide');
    await page.keyboard.down('ArrowLeft');
    expect(await layers(page)).toEqual(['baseline', 'baseline']);
    await page.keyboard.up('ArrowLeft');
    await page.keyboard.down('ArrowRight');
    expect(await layers(page)).toEqual(['current', 'current']);
    await page.keyboard.up('ArrowRight');
    expect(await layers(page)).toEqual(['baseline', 'current']);
    await leave();
  });

  it('slides by keys in the mode swipe, and says how far', async () => {
    const { page, complaints, leave } = await open('/wide', { query: '?mode=swipe' });
    const slider = page.getByRole('slider', { name: 'Divider between the screenshots' });
    await slider.focus();
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuenow')).toBe('100');
    await page.keyboard.press('Home');
    expect(await slider.getAttribute('aria-valuenow')).toBe('0');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('jumps from change to change, and zooms both screenshots in step', async () => {
    const { page, complaints, leave } = await open('/tall');
    const scrolled = async () => page.evaluate(() => document.querySelector('[data-stage]')?.scrollTop ?? 0);
    const widths = async () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.comparison-canvas')]
          .map((canvas) => canvas.querySelector('.comparison-layer')?.clientWidth ?? 0)
          .filter((width) => width > 0),
      );
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.keyboard.press('n');
    expect(await page.getByText('Change 1 of 2').count()).toBe(1);
    const first = await scrolled();
    await page.keyboard.press('n');
    expect(await page.getByText('Change 2 of 2').count()).toBe(1);
    expect(await scrolled()).toBeGreaterThan(first + 1000);
    await page.keyboard.press('p');
    expect(await scrolled()).toBe(first);
    await page.keyboard.press('Space');
    expect(await widths()).toEqual([1280, 1280]);
    await page.keyboard.press('+');
    expect(await widths()).toEqual([1600, 1600]);
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    const lefts = async () =>
      page.evaluate(() => [...document.querySelectorAll('[data-pane]')].map((pane) => pane.scrollLeft).slice(0, 2));
    await page.waitForFunction(() => document.querySelector('[data-pane=left]')?.scrollLeft === 240);
    expect(await lefts()).toEqual([240, 240]);
    await page.keyboard.press('Space');
    expect((await widths()).every((width) => width < 1280)).toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('zooms with the wheel where the pointer is, and moves both screenshots by dragging', async () => {
    const { page, complaints, leave } = await open('/tall');
    const pane = page.locator('[data-pane=main]');
    const { x, y } = (await pane.boundingBox()) ?? { x: 0, y: 0 };
    const scale = async () =>
      page.evaluate(
        () => document.querySelector('.comparison-zoomed [data-pane=left] .comparison-canvas')?.clientWidth ?? 0,
      );
    await page.mouse.move(x + 200, y + 300);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await page.mouse.wheel(0, -100);
    await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await page.waitForFunction(() => (document.querySelector('[data-pane=left]')?.scrollLeft ?? 0) > 20);
    expect(await scale()).toBeGreaterThan(900);
    const before = await page.evaluate(() => document.querySelector('[data-pane=left]')?.scrollLeft ?? 0);
    await page.mouse.down();
    await page.mouse.move(x + 150, y + 200, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(
      (was) => (document.querySelector('[data-pane=left]')?.scrollLeft ?? 0) === was + 50,
      before,
    );
    expect(complaints).toEqual([]);
    await leave();
  });

  it('opens the help and the filter by keys, and has none while somebody types', async () => {
    const { page, leave } = await open('/wide');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).isVisible()).toBe(true);
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).isVisible()).toBe(false);
    expect(await heading(page)).toBe('/wide');
    await page.keyboard.press('f');
    await page.keyboard.type('jsa');
    expect(await page.getByLabel('Path contains').inputValue()).toBe('jsa');
    expect(await heading(page)).toBe('/wide');
    await page.getByLabel('Path contains').fill('TALL');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=TALL/);
    expect(await page.locator('#review-list [data-result]').count()).toBe(1);
    await leave();
  });

  it('approves by keys and moves on to the next, in the mode that was chosen', async () => {
    const of = await newRun();
    const { page, complaints, leave } = await open('/wide', { of });
    await page.keyboard.press('o');
    for (const path of ['/tall', HOSTILE_PATH, '/new']) {
      await page.keyboard.press('a');
      await page.waitForURL((url) => url.pathname === addressOf(path, '', of));
      expect(await heading(page)).toBe(path);
    }
    expect(new URL(page.url()).searchParams.get('mode')).toBe('onion');
    await page.keyboard.press('a');
    await page.waitForURL((url) => url.pathname === `/runs/${of.id}`);
    await page.goto(addressOf('/wide', '', of));
    expect(await page.locator('.review-approval').textContent()).toContain('Approved by owner');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('asks before it approves all', async () => {
    const of = await newRun();
    const { page, leave } = await open('/tall', { of });
    await page.keyboard.press('Shift+A');
    const button = page.getByRole('button', { name: 'Approve all 4' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/runs/${of.id}`);
    const approved = await api.ctx.db('page_results').where({ test_run_id: of.id, approved: true });
    expect(approved).toHaveLength(4);
    await leave();
  });
});

describe('the review without JavaScript', () => {
  it('shows each mode at its address, and approves', async () => {
    const of = await newRun();
    const { page, leave } = await open('/wide', { of, javaScriptEnabled: false });
    const visible = async (selector: string) => page.locator(selector).filter({ visible: true }).count();
    const seen: Record<string, string[]> = {};
    for (const name of ['Swipe', 'Onion skin', 'Differences', 'Blink', 'Single', 'Side by side']) {
      await page.getByRole('link', { name, exact: true }).click();
      const found = ['baseline', 'current', 'difference'].map(async (layer) =>
        (await visible(`svg.comparison-${layer}`)) > 0 ? [layer] : [],
      );
      seen[name] = (await Promise.all(found)).flat();
    }
    expect(seen).toEqual({
      Swipe: ['baseline', 'current'],
      'Onion skin': ['baseline', 'current'],
      Differences: ['current', 'difference'],
      Blink: ['baseline', 'current'],
      Single: ['current'],
      'Side by side': ['baseline', 'current'],
    });
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    expect(await heading(page)).toBe('/tall');
    await leave();
  });
});

describe('the list of a large run', () => {
  it('comes in parts around the result that is open', async () => {
    const suite = await suiteOf(api, owner.user, ['/']);
    const screenshots = Object.fromEntries(
      Array.from({ length: 130 }, (_, at) => [`/p${at}`, { error: 'It answered 500' }]),
    );
    const of = await reviewRun(api, suite, screenshots);
    const { page, leave } = await open('/p70', { of });
    const rows = page.locator('#review-list [data-result]');
    expect(await rows.count()).toBeLessThan(120);
    expect(await page.locator('#review-list [aria-current]').textContent()).toContain('/p70');
    await page.getByText('130').first().waitFor();
    for (let at = 0; at < 6; at += 1) await page.keyboard.press('End');
    await page.evaluate(() => document.querySelector('#review-list')?.scrollTo(0, 1e6));
    await page.locator('#review-list').getByText('/p129').waitFor();
    await leave();
  });
});
