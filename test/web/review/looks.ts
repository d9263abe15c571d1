import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { axeViolations, axeViolationsInBothSchemes } from '../../support/visitor.ts';
import { paint, reviewRun, suiteOf } from '../review-fixture.ts';
import { areaAt, colorAt, comparison, HOSTILE_PATH, mixed, tilesLoaded, type Scene } from './scene.ts';

/** How screenshots and differences are shown. */
export function reviewLooks(scene: Scene): void {
  describe('the review of a result', () => {
    it('has no violation that axe finds, in light and dark', async () => {
      const { page, complaints, leave } = await scene.open('/tall');
      expect(await axeViolationsInBothSchemes(page)).toEqual([]);
      for (const path of ['/new', '/broken', '/same', HOSTILE_PATH]) {
        await page.goto(scene.addressOf(path));
        expect(await axeViolationsInBothSchemes(page)).toEqual([]);
      }
      expect(complaints).toEqual([]);
      await leave();
    });

    it('says at once which scripts it needs, and has all its tools in a window of 1,280 px', async () => {
      const { page, complaints, leave } = await scene.open('/tall');
      await page.setViewportSize({ width: 1280, height: 800 });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.reload({ waitUntil: 'load' });
      const links = page.locator('link[rel=modulepreload]');
      const modules = await links.evaluateAll((all) =>
        all.map((link) => new URL(link.getAttribute('href') ?? '', location.href).href),
      );
      expect(modules.length).toBeGreaterThan(5);
      expect(asked).toEqual(expect.arrayContaining(modules));
      const known = [...modules, 'htmx', 'app.js', 'requests.js', 'search.js', 'review.js'];
      const scripts = asked.filter((url) => url.endsWith('.js'));
      expect(scripts.filter((url) => !known.some((part) => url.includes(part)))).toEqual([]);
      const bar = page.locator('[data-bar=view]');
      const cut = await bar.evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(cut).toBe(0);
      const right = await bar
        .locator('button, a')
        .evaluateAll((all) => Math.max(...all.map((each) => each.getBoundingClientRect().right)));
      expect(right).toBeLessThanOrEqual(1280);
      expect(complaints).toEqual([]);
      await leave();
    });

    it('marks only what differs, in a color of its own, and loads the diff image only to show it', async () => {
      const { page, complaints, leave } = await scene.open('/tall');
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const { diffFile } = await scene.api.ctx
        .db('page_results')
        .where({ id: scene.run.results['/tall'] })
        .first('diff_file');
      const isAskedFor = () => asked.some((url) => url.includes(String(diffFile)));
      for (const key of ['w', 'o', 'b', 's']) await page.keyboard.press(key);
      await tilesLoaded(page);
      expect(isAskedFor()).toBe(false);
      await page.keyboard.press('d');
      await page.keyboard.press('Space');
      await page.keyboard.press('x');
      await tilesLoaded(page);
      expect(isAskedFor()).toBe(true);
      expect(await colorAt(page, 400, 930)).toEqual(mixed('#e0218a', '#cf222e', 0.6));
      expect(await colorAt(page, 100, 30)).toEqual(mixed('#d0d7de', '#d0d7de', 1));
      expect(complaints).toEqual([]);
      await leave();
    });

    it('shows at 1:1 each pixel as it was captured, across the edge of two tiles', async () => {
      const { page, complaints, leave } = await scene.open('/tall');
      await page.keyboard.press('Space');
      await page.keyboard.press('x');
      const { currentFile } = await scene.api.ctx
        .db('page_results')
        .where({ id: scene.run.results['/tall'] })
        .first('current_file');
      const png = await scene.api.ctx.storage.get(String(currentFile));
      const area = { width: 200, height: 120 };
      const at = { left: 40, top: 1024 - 60 };
      const captured = await sharp(png ?? Buffer.alloc(0))
        .extract({ ...at, ...area })
        .removeAlpha()
        .raw()
        .toBuffer();
      expect(Buffer.compare(await areaAt(page, at, area), captured)).toBe(0);
      expect(complaints).toEqual([]);
      await leave();
    });

    it('blinks no more than three times a second, and not at all with reduced motion', async () => {
      const { page, complaints, leave } = await scene.open('/wide', { query: '?mode=blink' });
      const blinking = async () =>
        page.evaluate(() => {
          const layer = document.querySelector('[data-pane=main] .comparison-current');
          const { animationName, animationDuration } = getComputedStyle(layer ?? document.body);
          return animationName === 'none' ? 0 : Number.parseFloat(animationDuration);
        });
      // Each period has two changes.
      expect(2 / (await blinking())).toBeLessThanOrEqual(3);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      expect(await blinking()).toBe(0);
      expect(complaints).toEqual([]);
      await leave();
    });

    it('folds the bands in which nothing differs, in every mode, and finds the changes there', async () => {
      const { page, complaints, leave } = await scene.open('/tall');
      const height = async () => Number(await comparison(page).getAttribute('data-height'));
      expect(await height()).toBe(4500);
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

    it.each([900, 1440])('shows all marks of a long path before the tools, in a window of %i px', async (width) => {
      const { api, owner } = scene;
      const path = `/${'long'.repeat(40)}`;
      const small = { width: 600, height: 400 };
      const screenshots = { baseline: await paint(small), current: await paint(small, [{ x: 10, y: 20 }]) };
      const of = await reviewRun(api, await suiteOf(api, owner.user, [path]), { [path]: screenshots });
      const { page, leave } = await scene.open(path, { of, viewport: { width, height: 800 } });
      const marks = await page
        .locator('.review-at > *')
        .evaluateAll((all) => Math.max(...all.map((each) => each.getBoundingClientRect().right)));
      const tools = await page.getByRole('navigation', { name: 'About this screenshot' }).boundingBox();
      expect(marks).toBeLessThanOrEqual(tools?.x ?? 0);
      await leave();
    });

    it('says beside the screenshots what is wrong with them, and how much above', async () => {
      const of = await scene.newRun();
      await scene.api.ctx
        .db('page_results')
        .where({ id: of.results['/wide'] })
        .update({ cut: true, stability: 'UNSTABLE' });
      const { page, leave } = await scene.open('/wide', { of });
      await page.getByRole('link', { name: 'Notes: 3 to look at' }).click();
      const warnings = page.getByRole('list', { name: 'About the screenshots' });
      await warnings.waitFor();
      expect(await warnings.getByRole('listitem').count()).toBe(3);
      const [beside, stage] = [await warnings.boundingBox(), await page.locator('[data-stage]').boundingBox()];
      expect(beside?.x ?? 0).toBeGreaterThanOrEqual((stage?.x ?? 0) + (stage?.width ?? 0));
      await leave();
    });
  });
}
