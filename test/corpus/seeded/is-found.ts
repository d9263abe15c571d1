import { beforeAll, describe, expect, it } from '@jest/globals';
import { compareImages } from '../../../src/compare/compare-images.ts';
import { never, requestOf } from '../../capture/requests.ts';
import { siteAndBrowser } from '../../capture/site-and-browser.ts';
import { toPng } from '../../compare/random-images.ts';
import { sample } from '../../support/sample.ts';
import { photo, QUIET_PAGE } from './quiet-page.ts';
import { SEEDED_CHANGES, type SeededChange } from './seeded-changes.ts';

function withChange({ name, css, from, to }: SeededChange): string {
  const page = QUIET_PAGE.replace('<style id="change">', `<style id="change">${css ?? ''}`).replace(
    from ?? '',
    to ?? '',
  );
  if (page === QUIET_PAGE) throw new Error(`The page has no place for ${name}`);
  return page;
}

export const CHANGES = sample(SEEDED_CHANGES, 6);

/** Tests that each of these changes is found, and none where there is none. */
export function testChanges(changes: SeededChange[]): void {
  const { site, browser } = siteAndBrowser();
  let quiet: Buffer;

  const screenshot = async (path: string, page: string): Promise<Buffer> => {
    const request = requestOf(site.page(path, page));
    const viewport = { ...request.viewport, width: 480, height: 400 };
    // Nothing on these pages moves, so there is no rest to wait for.
    const settle = { quiet: 0, network: 0, timeout: 0 };
    return (await browser.capture({ ...request, viewport, settle }, never)).png;
  };

  beforeAll(async () => {
    for (const [path, brighter] of Object.entries({ '/photo.png': 0, '/photo-3.png': 3, '/photo-8.png': 8 })) {
      const png = toPng(photo(brighter));
      site.page(path, (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png));
    }
    quiet = await screenshot('/quiet', QUIET_PAGE);
  });

  describe('a seeded change of a quiet page', () => {
    it.each(changes)('is found: $name', async (change) => {
      const current = await screenshot(`/${changes.indexOf(change)}`, withChange(change));
      const { differentPixels, regions, diffImage, faint } = await compareImages(quiet, current, { threshold: 0 });
      expect(differentPixels).toBeGreaterThan(0);
      expect(regions.length).toBeGreaterThan(0);
      expect(diffImage).not.toBeNull();
      expect(faint).toBe(change.faint ?? faint);
    });

    it('is not found where there is none', async () => {
      const again = await screenshot('/again', QUIET_PAGE);
      expect(await compareImages(quiet, again, { threshold: 0 })).toMatchObject({ differentPixels: 0 });
    });
  });
}
