import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { startTestApi, type Account, type TestApi } from '../../support/api-client.ts';
import { openVisitorsBrowser, visit, type Visit, type Visitor } from '../../support/visitor.ts';
import { HOSTILE, paint, reviewRun, suiteOf } from '../review-fixture.ts';

export const HOSTILE_PATH = `/x?q=${HOSTILE}`;
const TALL = { width: 1280, height: 4500 };

type Run = { id: string; results: Record<string, string> };

/** A service, a browser and a run, which the tests of the review share. Set before the first of them. */
export type Scene = {
  api: TestApi;
  browser: Browser;
  owner: Account;
  run: Run;
  newRun(): Promise<Run>;
  addressOf(path: string, query?: string, of?: Run): string;
  open(path: string, options?: Visit & { query?: string; of?: Run }): Promise<Visitor>;
  readRunRow(id: string): Promise<{ testSuiteId: string }>;
};

/** In order of change: `/wide`, `/tall`, the hostile one, then `/new` and `/broken`. `/same` is collapsed. */
async function newRun({ api, owner }: Pick<Scene, 'api' | 'owner'>): Promise<Run> {
  const suite = await suiteOf(api, owner.user, ['/tall', '/wide', '/new', '/same', HOSTILE_PATH]);
  const small = { width: 600, height: 400 };
  return reviewRun(api, suite, {
    '/tall': {
      baseline: await paint(TALL),
      current: await paint(TALL, [
        { x: 300, y: 900 },
        { x: 700, y: 3900 },
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

/** Opens the scene before all tests of the file, and closes it after them. */
export function openScene(): Scene {
  const scene: Partial<Pick<Scene, 'api' | 'browser' | 'owner' | 'run'>> = {};
  const ready = <K extends keyof typeof scene>(name: K): NonNullable<(typeof scene)[K]> => {
    const value = scene[name];
    if (value === undefined) throw new Error('The scene is not open yet');
    return value;
  };
  beforeAll(async () => {
    const [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
    Object.assign(scene, { api, browser, owner: await api.account('owner') });
    scene.run = await newRun({ api, owner: ready('owner') });
  });
  afterAll(async () => {
    await scene.browser?.close();
    await scene.api?.stop();
  });
  const addressOf = (path: string, query = '', of = ready('run')) =>
    `/runs/${of.id}/results/${of.results[path]}${query}`;
  return {
    get api() {
      return ready('api');
    },
    get browser() {
      return ready('browser');
    },
    get owner() {
      return ready('owner');
    },
    get run() {
      return ready('run');
    },
    newRun: async () => newRun({ api: ready('api'), owner: ready('owner') }),
    addressOf,
    async open(path, options = {}) {
      const { query, of, ...visitOptions } = options;
      const visitor = await visit(ready('browser'), ready('api').url, { token: ready('owner').token, ...visitOptions });
      await visitor.page.goto(addressOf(path, query, of));
      return visitor;
    },
    async readRunRow(id) {
      const row = await ready('api').ctx.db('test_runs').where({ id }).first('test_suite_id');
      return { testSuiteId: String(row?.testSuiteId) };
    },
  };
}

export const heading = async (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
export const comparison = (page: Page) => page.locator('[data-comparison]');
export const layers = async (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.comparison-layer[role=img]')]
      .filter((layer) => layer.checkVisibility({ visibilityProperty: true }))
      .map((layer) => layer.getAttribute('class')?.replace('comparison-layer comparison-', '') ?? ''),
  );

/** Once all tiles that can be seen are there. */
export async function tilesLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('[data-stage] img')].every((image) => {
      const { top, bottom } = image.getBoundingClientRect();
      const isSeen = image.checkVisibility({ visibilityProperty: true }) && bottom > 0 && top < innerHeight;
      return !isSeen || (image.complete && image.naturalWidth > 0);
    }),
  );
}

/** The pixels of a part of the current screenshot in the main pane, at 100 %: red, green and blue. */
export async function areaAt(
  page: Page,
  { left, top }: Place,
  size: { width: number; height: number },
): Promise<Buffer> {
  const at = await page.evaluate(
    ([x = 0, y = 0]) => {
      const stage = document.querySelector('[data-stage]');
      const pane = document.querySelector('[data-pane=main]');
      const layer = pane?.querySelector('.comparison-ground');
      if (!stage || !pane || !layer) return { x: 0, y: 0 };
      stage.scrollTop = Math.max(0, y - 200);
      pane.scrollLeft = Math.max(0, x - 100);
      const box = layer.getBoundingClientRect();
      return { x: box.left + x, y: box.top + y };
    },
    [left, top],
  );
  await tilesLoaded(page);
  // Without `caret`, Playwright adds a style to the page, which the policy of the page forbids.
  const png = await page.screenshot({ clip: { ...at, ...size }, caret: 'initial' });
  return sharp(png).removeAlpha().raw().toBuffer();
}

type Place = { left: number; top: number };

/** The color of a pixel: see `areaAt`. */
export async function colorAt(page: Page, left: number, top: number): Promise<number[]> {
  const pixels = await areaAt(page, { left, top }, { width: 4, height: 4 });
  return [...pixels.subarray(0, 3)];
}

/** How the first color looks over the second one. A browser mixes with whole numbers. */
export function mixed(over: string, under: string, alpha: number): unknown[] {
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [1, 3, 5].map((at) => expect.closeTo(alpha * channel(over, at) + (1 - alpha) * channel(under, at), -1));
}
