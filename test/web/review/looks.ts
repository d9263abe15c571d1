import { describe, expect, it } from '@jest/globals';
import { axeViolations, axeViolationsInBothSchemes } from '../../support/visitor.ts';
import { shareSuite } from '../../support/requests.ts';
import type { Scene } from './scene.ts';
import { colorAt, comparison, HOSTILE_PATH, mixed } from './scene.ts';

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

    it('marks only what differs, in the color and opacity that the account has chosen', async () => {
      const person = await scene.api.account('chooser');
      const of = await scene.newRun();
      await shareSuite(
        scene.api.ctx,
        scene.owner.user,
        { id: (await scene.readRunRow(of.id)).testSuiteId },
        {
          userId: person.user.id,
          role: 'REVIEWER',
        },
      );
      const { page, complaints, leave } = await scene.open('/tall', {
        of,
        token: person.token,
        query: '?mode=overlay',
      });
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
      await page.goto(scene.addressOf('/wide', '?mode=overlay', of));
      expect([
        await page.getByLabel('Color').inputValue(),
        await page.getByLabel('Opacity', { exact: true }).inputValue(),
      ]).toEqual(['cyan', '80']);
      expect(complaints).toEqual([]);
      await leave();
    });

    it('blinks at the chosen speed, never more than three times a second, and not at all with reduced motion', async () => {
      const { page, complaints, leave } = await scene.open('/wide', { query: '?mode=blink' });
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
