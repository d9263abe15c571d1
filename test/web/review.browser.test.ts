import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { startTestApi } from '../support/api-client.ts';
import type { Account, TestApi } from '../support/api-client.ts';
import { axeViolations, openVisitorsBrowser, visit } from '../support/visitor.ts';
import type { Visit, Visitor } from '../support/visitor.ts';
import { shareSuite } from '../support/requests.ts';
import { postForm } from '../support/web-form.ts';
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

const readRunRow = async (id: string) => {
  const row = await api.ctx.db('test_runs').where({ id }).first('test_suite_id');
  return { testSuiteId: String(row?.testSuiteId) };
};

const heading = async (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
const comparison = (page: Page) => page.locator('[data-comparison]');
const layers = async (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.comparison-layer[role=img]')]
      .filter((layer) => layer.checkVisibility({ visibilityProperty: true }))
      .map((layer) => layer.getAttribute('class')?.replace('comparison-layer comparison-', '') ?? ''),
  );

/** The color of a pixel of the current screenshot in the main pane, at 100 %. */
async function colorAt(page: Page, x: number, y: number): Promise<number[]> {
  const at = await page.evaluate(
    ([left = 0, top = 0]) => {
      const stage = document.querySelector('[data-stage]');
      const pane = document.querySelector('[data-pane=main]');
      const layer = pane?.querySelector('.comparison-ground');
      if (!stage || !pane || !layer) return { x: 0, y: 0 };
      stage.scrollTop = Math.max(0, top - 200);
      pane.scrollLeft = Math.max(0, left - 100);
      const box = layer.getBoundingClientRect();
      return { x: box.left + left, y: box.top + top };
    },
    [x, y],
  );
  // Without `caret`, Playwright adds a style to the page, which the policy of the page forbids.
  const png = await page.screenshot({ clip: { ...at, width: 4, height: 4 }, caret: 'initial' });
  const pixel = await sharp(png).removeAlpha().raw().toBuffer();
  return [...pixel.subarray(0, 3)];
}

/** How the first color looks over the second one. A browser mixes with whole numbers. */
function mixed(over: string, under: string, alpha: number): unknown[] {
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [1, 3, 5].map((at) => expect.closeTo(alpha * channel(over, at) + (1 - alpha) * channel(under, at), -1));
}

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

  it('marks only what differs, in the color and opacity that the account has chosen', async () => {
    const person = await api.account('chooser');
    const of = await newRun();
    await shareSuite(
      api.ctx,
      owner.user,
      { id: (await readRunRow(of.id)).testSuiteId },
      {
        userId: person.user.id,
        role: 'REVIEWER',
      },
    );
    const { page, complaints, leave } = await open('/tall', { of, token: person.token, query: '?mode=overlay' });
    const saved = async (act: Promise<unknown>) =>
      Promise.all([page.waitForResponse((answer) => answer.url().endsWith('/preferences')), act]);
    await page.keyboard.press('Space');
    await page.keyboard.press('x');
    expect(await colorAt(page, 400, 930)).toEqual(mixed('#e0218a', '#cf222e', 0.6));
    expect(await colorAt(page, 100, 30)).toEqual(mixed('#d0d7de', '#d0d7de', 1));
    await saved(page.getByLabel('Color').selectOption('Cyan'));
    await saved(page.getByLabel('Opacity', { exact: true }).fill('80'));
    expect(await colorAt(page, 400, 930)).toEqual(mixed('#19e6e6', '#cf222e', 0.8));
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 1, name: HOSTILE_PATH, exact: true }).waitFor();
    await page.goto(addressOf('/wide', '?mode=overlay', of));
    expect([
      await page.getByLabel('Color').inputValue(),
      await page.getByLabel('Opacity', { exact: true }).inputValue(),
    ]).toEqual(['cyan', '80']);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('blinks at the chosen speed, never more than three times a second, and not at all with reduced motion', async () => {
    const { page, complaints, leave } = await open('/wide', { query: '?mode=blink' });
    const blinking = async () =>
      page.evaluate(() => {
        const layer = document.querySelector('[data-pane=main] .comparison-current');
        const { animationName, animationDuration } = getComputedStyle(layer ?? document.body);
        return animationName === 'none' ? 0 : Number.parseFloat(animationDuration);
      });
    const seconds: Record<string, number> = {};
    for (const speed of ['Slow', 'Medium', 'Fast']) {
      await page.getByLabel('Speed').selectOption(speed);
      seconds[speed] = await blinking();
    }
    expect(seconds).toEqual({ Slow: 3.2, Medium: 1.6, Fast: 0.8 });
    // Each period has two changes.
    expect(Object.values(seconds).every((period) => 2 / period <= 3)).toBe(true);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect([await blinking(), await page.getByLabel('Speed').isVisible()]).toEqual([0, false]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('folds the bands in which nothing differs, in every mode, and finds the changes there', async () => {
    const { page, complaints, leave } = await open('/tall');
    const height = async () => Number(await comparison(page).getAttribute('data-height'));
    expect(await height()).toBe(7000);
    await page.keyboard.press('u');
    await page.waitForURL(/fold=unchanged/);
    expect(await height()).toBeLessThan(600);
    expect(await page.getByRole('link', { name: 'Only what differs' }).getAttribute('aria-current')).toBe('true');
    for (const key of ['w', 'o', 'd', 'b', 's']) {
      await page.keyboard.press(key);
      expect(
        await comparison(page).evaluate((element) => element.querySelector('[data-stage]')?.scrollHeight ?? 0),
      ).toBeLessThan(1000);
    }
    await page.keyboard.press('Space');
    await page.keyboard.press('x');
    const second = await page
      .locator('#comparison-changes-current rect')
      .last()
      .evaluate((rect) => Number(rect.getAttribute('y')));
    expect(await colorAt(page, 710, second + 20)).toEqual(mixed('#cf222e', '#cf222e', 1));
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 1, name: HOSTILE_PATH, exact: true }).waitFor();
    expect([new URL(page.url()).searchParams.get('fold'), (await height()) < 600]).toEqual(['unchanged', true]);
    expect(await axeViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('magnifies both screenshots beside the pointer, and by keys', async () => {
    const { page, complaints, leave } = await open('/tall');
    const lens = page.getByRole('group', { name: 'Magnifier.' });
    const place = page.locator('[data-lens-place]');
    const boxes = async () =>
      lens.locator('svg').evaluateAll((images) => images.map((image) => image.getAttribute('viewBox')));
    await page.keyboard.press('m');
    expect(await lens.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.getByRole('button', { name: 'Magnifier', pressed: true }).count()).toBe(1);
    const before = await place.textContent();
    for (const key of ['ArrowRight', 'ArrowDown', 'Shift+ArrowDown', '+']) await page.keyboard.press(key);
    expect(await place.textContent()).not.toBe(before);
    expect(await place.textContent()).toContain('8 times as large');
    expect(new Set(await boxes()).size).toBe(1);
    expect(await heading(page)).toBe('/tall');
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await lens.isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Magnifier' }).evaluate((it) => it === document.activeElement)).toBe(
      true,
    );
    await page.getByRole('button', { name: 'Magnifier' }).click();
    const pane = await page.locator('[data-pane=left]').boundingBox();
    await page.mouse.move((pane?.x ?? 0) + 60, (pane?.y ?? 0) + 100);
    expect(await lens.isVisible()).toBe(true);
    const first = await boxes();
    await page.mouse.move((pane?.x ?? 0) + 90, (pane?.y ?? 0) + 130);
    expect(await boxes()).not.toEqual(first);
    await page.mouse.move(2, 2);
    expect(await lens.isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('stays where it is seen when the page is reloaded or learns of others, and starts anew elsewhere', async () => {
    const of = await newRun();
    const { page, complaints, leave } = await open('/tall', { of });
    const place = async () =>
      page.evaluate(() => [
        document.querySelector('[data-stage]')?.scrollTop ?? 0,
        document.querySelector('[data-pane=left] .comparison-layer')?.clientWidth ?? 0,
      ]);
    const scrollTo = async (top: number) =>
      page.evaluate((to) => document.querySelector('[data-stage]')?.scrollTo(0, to), top);
    await page.keyboard.press('Space');
    await page.keyboard.press('+');
    await scrollTo(900);
    const before = await place();
    await page.reload();
    expect(await place()).toEqual(before);
    // Others decide, and the page says so, while one looks elsewhere.
    await scrollTo(1500);
    const other = await api.account('somebody');
    const { testSuiteId } = await readRunRow(of.id);
    await shareSuite(api.ctx, owner.user, { id: testSuiteId }, { userId: other.user.id, role: 'REVIEWER' });
    const form = { resultIds: of.results['/tall'] ?? '', note: 'Too pale' };
    await postForm(api, `/runs/${of.id}/request-changes`, form, { token: other.token });
    await page.locator('#review-news').getByText('requested changes to this result').waitFor();
    expect(await place()).toEqual([1500, before[1]]);
    await page.keyboard.press('j');
    await page.getByRole('heading', { level: 1, name: HOSTILE_PATH, exact: true }).waitFor();
    expect((await place())[0]).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('says above the screenshots what is wrong with them', async () => {
    const of = await newRun();
    await api.ctx.db('page_results').where({ id: of.results['/wide'] }).update({ cut: true, stability: 'UNSTABLE' });
    const { page, leave } = await open('/wide', { of });
    const warnings = page.getByRole('list', { name: 'About the screenshots' });
    expect(await warnings.getByRole('listitem').count()).toBe(3);
    const [above, stage] = [await warnings.boundingBox(), await page.locator('[data-stage]').boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(stage?.y ?? 0);
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

  it('has no shortcuts of one key for whoever has switched them off, but keeps the arrows', async () => {
    const users = api.ctx.db('users').where({ id: owner.user.id });
    await users.clone().update({ preferences: JSON.stringify({ singleKeys: 'off' }) });
    const { page, complaints, leave } = await open('/wide');
    for (const key of ['d', 'j', '?', 'A']) await page.keyboard.press(key);
    expect([await comparison(page).getAttribute('data-mode'), await heading(page)]).toEqual(['side', '/wide']);
    expect(await page.getByRole('link', { name: 'Next result' }).getAttribute('title')).toBe('Next result');
    await page.keyboard.down('ArrowLeft');
    expect(await layers(page)).toEqual(['baseline', 'baseline']);
    await page.keyboard.up('ArrowLeft');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    expect(await page.getByRole('dialog').getByRole('link', { name: 'Turn them on' }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await users.update({ preferences: '{}' });
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
    await page.getByRole('link', { name: 'Only what differs' }).click();
    expect(await page.getByText('px unchanged').filter({ visible: true }).count()).toBeGreaterThan(0);
    await leave();
  });

  it('keeps how differences look', async () => {
    const { page, leave } = await open('/wide', { javaScriptEnabled: false, query: '?mode=overlay' });
    await page.getByLabel('Color').selectOption('Orange');
    await page.getByRole('button', { name: 'Apply' }).filter({ visible: true }).click();
    expect(new URL(page.url()).searchParams.get('mode')).toBe('overlay');
    expect(await page.locator('[data-tint]').getAttribute('flood-color')).toBe('#ffa600');
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

/** The part of the window in which a picture is seen, from 0 to 1, without scrolling. */
const pictureShare = async (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = [...document.querySelectorAll('.comparison-pane')].find((pane) => pane.clientWidth > 0);
    const stage = canvas?.closest('[data-stage]')?.getBoundingClientRect();
    return stage === undefined ? 0 : (Math.min(innerHeight, stage.bottom) - stage.top) / innerHeight;
  });

describe('on a small screen', () => {
  it.each([
    { width: 375, height: 812 },
    { width: 320, height: 640 },
  ])('of $width px, two thirds belong to the picture, and a menu covers no button', async (viewport) => {
    const { page, complaints, leave } = await open('/wide', { viewport, of: await newRun() });
    expect(await pictureShare(page)).toBeGreaterThanOrEqual(2 / 3);
    const caret = page.locator('.review-approve summary');
    await caret.click();
    const [button, panel] = [
      await caret.boundingBox(),
      await page.locator('.review-approve .menu-panel').boundingBox(),
    ];
    expect((panel?.y ?? 0) >= (button?.y ?? 0) + (button?.height ?? 0) || (panel?.x ?? 0) > (button?.x ?? 0)).toBe(
      true,
    );
    const isSideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect([isSideways, complaints]).toEqual([false, []]);
    await leave();
  });
});

describe('two reviewers at once', () => {
  it('learn of each other, and the second does not undo the first unawares', async () => {
    const of = await newRun();
    const other = await api.account('other');
    const { testSuiteId } = await readRunRow(of.id);
    await shareSuite(api.ctx, owner.user, { id: testSuiteId }, { userId: other.user.id, role: 'REVIEWER' });
    const first = await open('/tall', { of });
    const second = await open('/tall', { of, token: other.token });
    await second.page.getByText('Request changes…').click();
    await second.page.getByLabel('What has to change').fill('Too <b>pale</b>');
    await second.page.getByRole('button', { name: 'Request changes' }).click();
    await second.page.getByText('other requested changes').waitFor();
    await first.page.locator('#review-news').getByText('requested changes to this result').waitFor();
    await first.page.keyboard.press('a');
    await first.page.getByRole('heading', { name: 'Decided in the meantime' }).waitFor();
    expect(await first.page.locator('blockquote').textContent()).toBe('Too <b>pale</b>');
    expect(await axeViolations(first.page)).toEqual([]);
    await first.page.getByRole('button', { name: 'Approve anyway' }).click();
    await first.page.getByRole('status').filter({ hasText: 'Approved 1 result' }).waitFor();
    expect(first.complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
    await Promise.all([first.leave(), second.leave()]);
  });

  it('comment on a box of a result', async () => {
    const { page, complaints, leave } = await open('/tall', { of: await newRun() });
    await page.getByRole('link', { name: 'Comment…' }).click();
    await page.getByLabel('New comment').fill('Is this <i>right</i>?');
    await page.getByRole('button', { name: 'Draw a box' }).click();
    const stage = await page.locator('[data-pane=main]').boundingBox();
    const [x, y] = [(stage?.x ?? 0) + 40, (stage?.y ?? 0) + 60];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 80, y + 50);
    await page.mouse.up();
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('Is this <i>right</i>?').first().waitFor();
    expect(await page.locator('.comment-head').textContent()).toContain('box of');
    expect([await axeViolations(page), complaints]).toEqual([[], []]);
    await leave();
  });
});
