import { describe, expect, it } from '@jest/globals';
import { readPixels } from './pixels.ts';
import { never, requestOf } from './requests.ts';
import { siteAndBrowser } from './site-and-browser.ts';
import { html } from './site.ts';

const { site, browser } = siteAndBrowser();

const STYLES = 'body { margin: 0 } #e { width: 40px; height: 40px; background: #00ff00 }';

/** Where the page shows its square. */
async function placeOf(name: string, body: string, styles: string) {
  const page = html(body, `<style>${STYLES} ${styles}</style>`);
  const { png } = await browser.capture(requestOf(site.page(`/${name.replaceAll(' ', '-')}`, page)), never);
  return (await readPixels(png)).boxOf([0, 255, 0]);
}

describe('an animation that follows the view', () => {
  const range = (name: string) =>
    `#e { animation: g linear both; animation-timeline: view(); animation-range: ${name} }`;

  it.each([
    ['fades out as its element leaves', 'exit', 'to { opacity: 0 }', [0, 0, 40, 40]],
    ['fades in as its element enters', 'entry', 'from { opacity: 0 }', [0, 0, 40, 40]],
    ['moves all the time', 'cover', 'to { translate: 80px }', [40, 0, 40, 40]],
  ])('and %s is shown as in the middle of the window', async (name, during, frames, place) => {
    const styles = `@keyframes g { ${frames} } ${range(during)}`;
    expect(await placeOf(name, '<div id="e"></div><div style="height: 2000px"></div>', styles)).toEqual(place);
  });
});

it('each of many animations of an element tells its end', async () => {
  const script = `for (let index = 0; index < 12; index += 1) {
    e.animate({ opacity: [0, 1] }, { duration: 60_000 + index }).onfinish = () => { e.style.width = \`\${e.offsetWidth + 1}px\` };
  }`;
  expect(await placeOf('many', `<div id="e"></div><script>${script}</script>`, '')).toEqual([0, 0, 52, 40]);
});

it.each([
  ['a hint in a field', '<input id="e" placeholder="Hint">', '::placeholder'],
  ['the button of a file', '<input id="e" type="file">', '::file-selector-button'],
  ['the color of a field', '<input id="e" type="color">', '::-webkit-color-swatch'],
  ['a date', '<input id="e" type="date">', '::-webkit-datetime-edit'],
  ['the button of a date', '<input id="e" type="date">', '::-webkit-calendar-picker-indicator'],
  ['the buttons of a number', '<input id="e" type="number">', '::-webkit-inner-spin-button'],
  ['the button of a search', '<input id="e" type="search" value="x">', '::-webkit-search-cancel-button'],
])('%s moves no more, also where the page has no script', async (name, field, part) => {
  const styles = `@keyframes g { from { color: #00ff00; background: #00ff00 } to { color: #ff0000; background: #ff0000 } }
    #e { width: 400px; background: none } ${part} { appearance: none; width: 20px; height: 20px; opacity: 1; color: blue; background: blue; animation: g 60s infinite }`;
  expect(await placeOf(name, field, styles)).toBe(null);
});

it.each([
  ['what a script has scaled down', 'will-change: transform; width: 301px; border-radius: 50%', 'scale(3)', 'scale(1)'],
  [
    'what a script has moved in a layer',
    'border-radius: 50%',
    'translate3d(9.79px, 0, 0)',
    'translate3d(9.795px, 0, 0)',
  ],
])('%s is drawn like what was there at once', async (name, style, first, last) => {
  const part = (transform: string) => `<p id="e" style="transform: ${transform}; ${style}"></p>`;
  const script = `<script>setTimeout(() => requestAnimationFrame(() => { e.style.transform = '${last}' }), 200)</script>`;
  const capture = async (path: string, body: string) =>
    browser.capture(requestOf(site.page(path, html(body, `<style>${STYLES}</style>`))), never);
  const plain = await capture(`/at-once-${name.length}`, part(last));
  expect((await capture(`/later-${name.length}`, part(first) + script)).sha256).toBe(plain.sha256);
});
