import { expect, it } from '@jest/globals';
import { decodePng } from '../../src/png/codec.ts';
import { boxFont } from '../corpus/box-font.js';
import { readPixels } from './pixels.ts';
import { never, requestOf } from './requests.ts';
import { siteAndBrowser } from './site-and-browser.ts';
import { html } from './site.ts';

const { site, browser } = siteAndBrowser();

/** The window is 800 by 600 px. */
async function capture(name: string, body: string) {
  return browser.capture(requestOf(site.page(name, html(body, '<style>body { margin: 0 }</style>'))), never);
}

const FAMILIES = ['monospace', 'serif', 'sans-serif', 'cursive', 'fantasy', 'system-ui', 'math'];
const WORDS = 'const answer = await ask(); // 0123456789';
const lines = FAMILIES.map((family) => `<div style="font: 20px ${family}">${WORDS}</div>`).join('');
const block = (height: number) => `<div style="height: ${height}px"></div>`;

it('text is drawn the same whether or not the page is taller than the window', async () => {
  const [short, tall] = [await capture('/short', lines), await capture('/tall', lines + block(900))];
  const [one, other] = await Promise.all([short, tall].map(async ({ png }) => decodePng(png, 'captured')));
  if (one === undefined || other === undefined) throw new Error('There are two screenshots');
  const top = 4 * 800 * 500;
  expect(one.pixels.subarray(0, top).equals(other.pixels.subarray(0, top))).toBe(true);
});

it('a tall page of code ends where its last line ends', async () => {
  const code = Array.from({ length: 200 }, () => `<code style="display: block; font-size: 40px">${WORDS}</code>`).join(
    '',
  );
  const end = '<div style="height: 10px; background: #f00"></div>';
  const { height, png } = await capture('/code', code + end);
  expect((await readPixels(png)).boxOf([255, 0, 0])).toEqual([0, height - 10, 800, 10]);
});

it('text with an optional font gets it after it has been drawn', async () => {
  const shown = async (display: string) => {
    let send = () => {};
    site.page(`/font-${display}`, (_request, response) => {
      send = () => response.writeHead(200, { 'content-type': 'font/ttf' }).end(boxFont());
    });
    site.page(`/drawn-${display}`, (_request, response) => {
      response.end();
      send();
    });
    const face = `@font-face { font-family: Boxes; src: url(/font-${display}); font-display: ${display} }`;
    const drawn = `requestAnimationFrame(() => requestAnimationFrame(() => fetch('/drawn-${display}')))`;
    const body = `<style>${face}</style><p style="font: 40px Boxes, serif">Words</p><script>${drawn}</script>`;
    return (await capture(`/with-${display}`, body)).sha256;
  };
  expect(await shown('optional')).toBe(await shown('block'));
});
