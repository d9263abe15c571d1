import { describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { sample } from '../support/sample.ts';
import { never, requestOf } from './requests.ts';
import { siteAndBrowser } from './site-and-browser.ts';
import { html } from './site.ts';

const SETTLE = { quiet: 300, network: 200, timeout: 2000 };
const LATE = '<p>Always</p><p id="late"></p>';
const TICKS = '<b id="n"></b><script>let k = 0; setInterval(() => { n.textContent = k += 1 }, 100)</script>';
const STYLE = '<style>.swap { opacity: 0.3 }</style>';

const BEGINS_SWAP = "late.className = 'swap'; ";
const ENDS_SWAP = "setTimeout(() => { late.className = '' }, 20)";
const SWAP = `${BEGINS_SWAP}late.textContent = 'Late'; ${ENDS_SWAP}`;

const turns = sample([20, 31, 43, 57, 73, 97], 3);
const swaps = sample(
  [
    ['on the beat', `setInterval(() => { ${SWAP} }, 500)`],
    ['with answers', `setInterval(async () => { await fetch('/beacon'); ${SWAP} }, 500)`],
    [
      'by a function that sleeps',
      `(async () => { for (;;) { await new Promise((r) => setTimeout(r, 500)); ${SWAP} } })()`,
    ],
  ] as const,
  3,
);

type Cases = { turns: number[]; swaps: (readonly [string, string])[] };

export const CASES: Record<'sampled' | 'others', Cases> = {
  sampled: { turns: turns.sampled, swaps: swaps.sampled },
  others: { turns: turns.others, swaps: swaps.others },
};

/** Tests that the clock of a page that never rests is stopped at a look that the page has by itself. */
export function testStoppedClock({ turns, swaps }: Cases): void {
  const { site, browser } = siteAndBrowser();
  const capture = async (url: string, changes: Partial<CaptureRequest> = {}) =>
    browser.captureBelieved(requestOf(url, { settle: SETTLE, ...changes }), never);

  describe('a stopped clock', () => {
    it.concurrent.each(turns)('shows a page with two looks that takes turns each %d ms', async (ms) => {
      const script = `let k = 0; setInterval(() => { late.textContent = (k += 1) % 2 ? 'Tick' : 'Tock' }, ${ms})`;
      const { way } = await capture(site.page(`/turns-${ms}`, html(`${LATE}<script>${script}</script>`)));
      expect(way.clock).toBe('stopped');
    });

    it.concurrent.each(swaps)('does not end in the middle of a swap: %s', async (name, script) => {
      site.page('/beacon', (_, response) => response.writeHead(204).end());
      const path = `/swaps-${name.replaceAll(' ', '-')}`;
      const pageOf = (swapping: string) => html(`${STYLE}${LATE}${TICKS}<script>${swapping}</script>`);
      const url = site.page(path, pageOf(script));
      const seed = await capture(url);
      expect(seed.way.clock).toBe('stopped');
      const unmarked = script.replace(BEGINS_SWAP, '').replace(ENDS_SWAP, '');
      expect((await capture(site.page(`${path}-finished`, pageOf(unmarked)))).sha256).toBe(seed.sha256);
      const { sha256, atRest, way } = seed;
      const again = await capture(url, { baseline: { sha256, atRest, way } });
      expect({ sha256: again.sha256, screenshots: again.screenshots }).toEqual({ sha256, screenshots: 1 });
    });
  });
}
