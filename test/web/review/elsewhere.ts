import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright';
import { shareSuite } from '../../support/requests.ts';
import { axeViolations } from '../../support/visitor.ts';
import { reviewRun, suiteOf } from '../review-fixture.ts';
import { heading, type Scene } from './scene.ts';

/** The part of the window in which a picture is seen, from 0 to 1, without scrolling. */
const pictureShare = async (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = [...document.querySelectorAll('.comparison-pane')].find((pane) => pane.clientWidth > 0);
    const stage = canvas?.closest('[data-stage]')?.getBoundingClientRect();
    return stage === undefined ? 0 : (Math.min(innerHeight, stage.bottom) - stage.top) / innerHeight;
  });

/** The review without scripts, of a large run, on a small screen, and by two people at once. */
export function reviewElsewhere(scene: Scene): void {
  describe('the review without JavaScript', () => {
    it('shows each mode at its address, and approves', async () => {
      const of = await scene.newRun();
      const { page, leave } = await scene.open('/wide', { of, javaScriptEnabled: false });
      const visible = async (selector: string) => page.locator(selector).filter({ visible: true }).count();
      const seen: Record<string, string[]> = {};
      for (const name of ['Swipe', 'Onion skin', 'Differences', 'Blink', 'Single', 'Side by side']) {
        await page.getByRole('link', { name, exact: true }).click();
        await page.locator('[aria-current][data-choose-mode]', { hasText: name }).waitFor();
        await page.waitForLoadState('load');
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
      await page.getByRole('button', { name: 'Approve screenshot', exact: true }).click();
      expect(await heading(page)).toBe('/tall');
      await page.getByRole('link', { name: 'Only what differs' }).click();
      expect(await page.getByText('px unchanged').filter({ visible: true }).count()).toBeGreaterThan(0);
      await leave();
    });
  });

  describe('the list of a large run', () => {
    it('comes in parts around the result that is open', async () => {
      const suite = await suiteOf(scene.api, scene.owner.user, ['/']);
      const screenshots = Object.fromEntries(
        Array.from({ length: 130 }, (_, at) => [`/p${at}`, { error: 'It answered 500' }]),
      );
      const of = await reviewRun(scene.api, suite, screenshots);
      const { page, leave } = await scene.open('/p70', { of });
      const rows = page.locator('#review-list [data-stop]');
      expect(await rows.count()).toBeLessThan(120);
      expect(await page.locator('#review-list [aria-current]').textContent()).toContain('/p70');
      await page.getByText('130').first().waitFor();
      for (let at = 0; at < 6; at += 1) await page.keyboard.press('End');
      await page.evaluate(() => document.querySelector('#review-list')?.scrollTo(0, 1e6));
      await page.locator('#review-list').getByText('/p129').waitFor();
      await leave();
    });
  });

  describe('on a small screen', () => {
    it.each([
      { width: 375, height: 812 },
      { width: 320, height: 640 },
    ])('of $width px, the picture comes first, and a menu covers no button', async (viewport) => {
      const { page, complaints, leave } = await scene.open('/wide', { viewport, of: await scene.newRun() });
      expect(await pictureShare(page)).toBeGreaterThanOrEqual(1 / 2);
      const top = await page.locator('[data-pane] .comparison-layer').first().boundingBox();
      expect(top?.y).toBeLessThan(160);
      const caret = page.getByLabel('Other ways to approve');
      await caret.click();
      const [button, panel] = [await caret.boundingBox(), await page.locator('.verdict-bar .menu-panel').boundingBox()];
      expect((panel?.y ?? 0) + (panel?.height ?? 0) <= (button?.y ?? 0)).toBe(true);
      const isSideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect([isSideways, complaints]).toEqual([false, []]);
      await leave();
    });
  });

  describe('two reviewers at once', () => {
    it('learn of each other, and the second does not undo the first unawares', async () => {
      const of = await scene.newRun();
      const other = await scene.api.account('other');
      const { testSuiteId } = await scene.readRunRow(of.id);
      await shareSuite(
        scene.api.ctx,
        scene.owner.user,
        { id: testSuiteId },
        { userId: other.user.id, role: 'REVIEWER' },
      );
      const first = await scene.open('/tall', { of });
      const second = await scene.open('/tall', { of, token: other.token });
      await second.page.keyboard.press('c');
      await second.page.getByLabel('What has to change').fill('Too <b>pale</b>');
      await second.page.getByRole('button', { name: 'Request changes', exact: true }).click();
      await second.page.getByText('Requested changes to 1 screenshot.').waitFor();
      await first.page.locator('#review-news').getByText('requested changes to this result').waitFor();
      await first.page.keyboard.press('a');
      await first.page.getByRole('heading', { name: 'Decided in the meantime' }).waitFor();
      expect(await first.page.locator('blockquote').textContent()).toBe('Too <b>pale</b>');
      expect(await axeViolations(first.page)).toEqual([]);
      await first.page.getByRole('button', { name: 'Approve anyway' }).click();
      await first.page.getByRole('status').filter({ hasText: 'Approved 1 screenshot' }).waitFor();
      expect(first.complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
      await Promise.all([first.leave(), second.leave()]);
    });

    it('comment on a box of a result', async () => {
      const { page, complaints, leave } = await scene.open('/tall', { of: await scene.newRun() });
      await page.getByRole('link', { name: 'Comments' }).click();
      await page.getByLabel('New comment').fill('Is this <i>right</i>?');
      await page.getByRole('button', { name: 'Pin to a place' }).click();
      const stage = await page.locator('[data-pane=main]').boundingBox();
      const [x, y] = [(stage?.x ?? 0) + 40, (stage?.y ?? 0) + 60];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 80, y + 50);
      await page.mouse.up();
      await page.getByRole('button', { name: 'Comment', exact: true }).click();
      await page.getByText('Is this <i>right</i>?').first().waitFor();
      expect(await page.locator('.comparison-pin').first().getAttribute('width')).toMatch(/\d/);
      expect(await page.locator('.comment-head').textContent()).toMatch(/at \d+, \d+/);
      expect([await axeViolations(page), complaints]).toEqual([[], []]);
      await leave();
    });
  });
}
