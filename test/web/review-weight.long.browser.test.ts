import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { openVisitorsBrowser, visit, type Visit } from '../support/visitor.ts';
import { reviewRun, suiteOf } from './review-fixture.ts';
import { measureVisit, type Meter } from './weight/measure-visit.ts';
import { paintPage } from './weight/paint-page.ts';

/** What `npm run bench:review` prints. */
const figures: string[] = [];
const note = (what: string, value: string) => figures.push(`${what.padEnd(58)}${value}`);
const inKb = (bytes: number) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`;

const TALL = 20_550;
const SHORT = 900;
const MANY = 60;

let api: TestApi;
let browser: Browser;
let owner: Account;
let tall: Awaited<ReturnType<typeof reviewRun>>;
let many: Awaited<ReturnType<typeof reviewRun>>;

beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  owner = await api.account('owner');
  const suite = await suiteOf(api, owner.user, ['/tall']);
  const [before, after] = [await paintPage(TALL, 1), await paintPage(TALL, 1, [2, 11])];
  tall = await reviewRun(api, suite, { '/tall': { baseline: before, current: after } });
  const paths = Array.from({ length: MANY }, (_, at) => `/short-${String(at).padStart(2, '0')}`);
  const shorts: Parameters<typeof reviewRun>[2] = {};
  for (const [at, path] of paths.entries()) {
    shorts[path] = { baseline: await paintPage(SHORT, at + 2), current: await paintPage(SHORT, at + 2, [0]) };
  }
  many = await reviewRun(api, await suiteOf(api, owner.user, paths), shorts);
}, 600_000);
afterAll(async () => {
  await browser.close();
  await api.stop();
  if (process.env['SHOW_FIGURES'] !== undefined) process.stdout.write(`\n${figures.join('\n')}\n`);
});

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 375, height: 812 } };

async function enter(path: string, options: Visit) {
  const visitor = await visit(browser, api.url, { token: owner.token, ...options });
  const meter = await measureVisit(visitor.page);
  await visitor.page.goto(path);
  return { ...visitor, meter };
}

const addressIn = (run: typeof tall, path: string, query = '') =>
  `/runs/${run.id}/results/${run.results[path]}${query}`;

/** To the end of the screenshots, half a window at a time. */
async function scrollThrough(page: Page, meter: Meter): Promise<void> {
  for (let isAtEnd = false; !isAtEnd;) {
    isAtEnd = await page.evaluate(() => {
      const stage = document.querySelector('[data-stage]');
      if (stage === null) return true;
      stage.scrollTop += stage.clientHeight / 2;
      return stage.scrollTop + stage.clientHeight >= stage.scrollHeight - 1;
    });
    await meter.idle();
  }
}

const openNext = async (page: Page, key: 'j' | 'k') => {
  const before = await page.locator('#review-main').getAttribute('data-result');
  await page.keyboard.press(key);
  await page.waitForFunction((was) => {
    const main = document.querySelector<HTMLElement>('#review-main');
    const shown = [...(main?.querySelectorAll('img') ?? [])].filter(
      (image) => image.checkVisibility({ visibilityProperty: true }) && image.getBoundingClientRect().top < innerHeight,
    );
    return main?.dataset['result'] !== was && shown.every((image) => image.complete);
  }, before);
};

describe('the weight of', () => {
  it.each([
    { what: 'a tall result at 1,440 px', options: DESKTOP, atFirst: 1_600_000, inAll: 5_000_000 },
    { what: 'a tall result at 375 px', options: PHONE, atFirst: 800_000, inAll: 5_000_000 },
  ])('$what keeps to $atFirst bytes at first, and to $inAll bytes when it was seen', async (asked) => {
    const { page, meter, leave } = await enter(addressIn(tall, '/tall'), asked.options);
    const first = await meter.read();
    await scrollThrough(page, meter);
    const all = await meter.read();
    note(`${asked.what}, at first`, `${inKb(first.bytes)} ${JSON.stringify(first.byType)}`);
    note(`${asked.what}, scrolled through`, inKb(all.bytes));
    note(`${asked.what}, layout shift`, String(all.shift));
    expect(first.bytes).toBeLessThanOrEqual(asked.atFirst);
    expect(all.bytes).toBeLessThanOrEqual(asked.inAll);
    expect(all.shift).toBe(0);
    await leave();
  });

  it('a short result keeps to 250,000 bytes', async () => {
    const { meter, leave } = await enter(addressIn(many, '/short-59'), DESKTOP);
    const { bytes, byType, shift } = await meter.read();
    note('a short result', `${inKb(bytes)} ${JSON.stringify(byType)}`);
    note('a short result, layout shift', String(shift));
    expect(bytes).toBeLessThanOrEqual(250_000);
    expect(shift).toBe(0);
    await leave();
  });

  it('a run of 60 results keeps to 250,000 bytes', async () => {
    const { page, meter, leave } = await enter(`/runs/${many.id}`, DESKTOP);
    const { bytes, byType, shift } = await meter.read();
    note('a run of 60 results', `${inKb(bytes)} ${JSON.stringify(byType)}`);
    note('a run of 60 results, layout shift', String(shift));
    expect(bytes).toBeLessThanOrEqual(250_000);
    // The first page in a browser prints its times once more, in the browser's own zone.
    expect(shift).toBeLessThan(0.001);
    meter.restart();
    await page.reload();
    expect((await meter.read()).shift).toBe(0);
    await leave();
  });
});

it('goes through 200 results without the tab growing', async () => {
  const { page, meter, complaints, leave } = await enter(`/runs/${many.id}/review`, DESKTOP);
  const walk = async (steps: number, key: 'j' | 'k') => {
    const times: number[] = [];
    for (let step = 0; step < steps; step += 1) {
      const start = performance.now();
      await openNext(page, key);
      times.push(performance.now() - start);
      await meter.idle();
    }
    return times.toSorted((one, other) => one - other);
  };
  const first = await walk(20, 'j');
  await walk(30, 'j');
  const before = await meter.readMemory();
  await walk(50, 'k');
  await walk(50, 'j');
  await walk(50, 'k');
  const after = await meter.readMemory();
  note('from j to the next one painted, median of 20', `${Math.round(first[10] ?? 0)} ms`);
  note('nodes and heap after 50 and after 200 results', JSON.stringify([before, after]));
  // The bare images that Chromium keeps: see `release` in `views/static/elements.js`. A page has thousands.
  expect(after.nodes - before.nodes).toBeLessThan(150 * 30);
  expect(after.heap).toBeLessThan(before.heap * 1.2);
  expect(complaints).toEqual([]);
  await leave();
}, 600_000);
