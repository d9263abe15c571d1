import { describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright';
import { shareSuite } from '../../support/requests.ts';
import { postForm } from '../../support/web-form.ts';
import { heading, HOSTILE_PATH, type Scene } from './scene.ts';

/** Holds back what the page asks for to show another screenshot. @returns lets the request for a screenshot through */
async function holdScreenshots(page: Page): Promise<(address: string) => Promise<void>> {
  const held = new Map<string, Route>();
  let arrived = (): void => undefined;
  await page.route('**/results/**', async (route) => {
    if (route.request().headers()['hx-request'] === undefined) return route.continue();
    held.set(new URL(route.request().url()).pathname, route);
    arrived();
  });
  return async (address) => {
    while (!held.has(address))
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    await held.get(address)?.continue();
  };
}

/** Zoom, scrolling, and jumping from change to change. */
export function reviewMoves(scene: Scene): void {
  describe('moving over the screenshots', () => {
    it('stays where it is seen when the page is reloaded or learns of others, and starts anew elsewhere', async () => {
      const of = await scene.newRun();
      const { page, complaints, leave } = await scene.open('/tall', { of });
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
      const other = await scene.api.account('somebody');
      const { testSuiteId } = await scene.readRunRow(of.id);
      await shareSuite(
        scene.api.ctx,
        scene.owner.user,
        { id: testSuiteId },
        { userId: other.user.id, role: 'REVIEWER' },
      );
      const form = { resultIds: of.results['/tall'] ?? '', note: 'Too pale' };
      await postForm(scene.api, `/runs/${of.id}/request-changes`, form, { token: other.token });
      await page.locator('#review-news').getByText('requested changes to this result').waitFor();
      expect(await place()).toEqual([1500, before[1]]);
      await page.keyboard.press('j');
      await page.getByRole('heading', { level: 1, name: HOSTILE_PATH, exact: true }).waitFor();
      expect((await place())[0]).toBe(0);
      expect(complaints).toEqual([]);
      await leave();
    });

    it('stays at the screenshot about which somebody has begun to type before the next one came', async () => {
      const of = await scene.newRun();
      const { page, complaints, leave } = await scene.open('/wide', { of });
      const letThrough = await holdScreenshots(page);
      await page.keyboard.press('j');
      await page.keyboard.press('c');
      await page.keyboard.type('p');
      const answered = page.waitForEvent('requestfinished');
      await letThrough(scene.addressOf('/tall', '', of));
      await answered;
      await page.evaluate(async () => new Promise(requestAnimationFrame));
      await page.keyboard.type('ale');
      expect(await heading(page)).toBe('/wide');
      expect(await page.getByLabel('What has to change').inputValue()).toBe('pale');
      expect(complaints).toEqual([]);
      await leave();
    });

    it('shows the screenshot that was chosen last, although another was asked for first', async () => {
      const { page, complaints, leave } = await scene.open('/wide');
      const list = page.getByRole('navigation', { name: 'Results of this run' });
      const letThrough = await holdScreenshots(page);
      await list.getByRole('link', { name: '/tall' }).click();
      await list.getByRole('link', { name: '/new' }).click();
      await letThrough(scene.addressOf('/tall')).catch(() => undefined);
      await letThrough(scene.addressOf('/new'));
      await page.getByRole('heading', { level: 1, name: '/new' }).waitFor();
      expect(await list.locator('[aria-current]').textContent()).toContain('/new');
      expect(complaints).toEqual([]);
      await leave();
    });

    it('slides by keys in the mode swipe, and says how far', async () => {
      const { page, complaints, leave } = await scene.open('/wide', { query: '?mode=swipe' });
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
      const { page, complaints, leave } = await scene.open('/tall');
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
      expect(await scrolled()).toBeGreaterThan(first + 300);
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
      const { page, complaints, leave } = await scene.open('/tall');
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
  });
}
