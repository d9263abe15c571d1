import { expect, it } from '@jest/globals';
import { readPixels, type Color } from './pixels.ts';
import { never, requestOf } from './requests.ts';
import { siteAndBrowser } from './site-and-browser.ts';
import { html } from './site.ts';

const { site, browser } = siteAndBrowser();

const RED: Color = [255, 0, 0];
const BLUE: Color = [0, 0, 255];

const colored = (color: string) => html('', `<style>body { background: ${color} }</style>`);
const frame = (source: string, style = '') =>
  `<iframe sandbox src="${source}" style="display:block;border:4px solid gray;width:100px;height:50px;${style}"></iframe>`;

/** The window is 800 by 600 px. */
const tall = (content: string) =>
  html(
    `<div style="height:1000px">Top</div>${content}<div style="height:300px">End</div>`,
    '<style>body{margin:0}</style>',
  );

async function capture(name: string, content: string, deviceScaleFactor = 1) {
  const { viewport } = requestOf('');
  const request = requestOf(site.page(name, tall(content)), { viewport: { ...viewport, deviceScaleFactor } });
  return browser.capture(request, never);
}

it('a frame of another origin is drawn below the window, also in a shadow root and in another frame', async () => {
  const red = site.page('/red', colored('#f00'));
  const { png } = await capture('/one', frame(red));
  expect((await readPixels(png)).boxOf(RED)).toEqual([4, 1004, 100, 50]);
  const shadow = `<div><template shadowrootmode="open">${frame(red)}</template></div>`;
  expect((await readPixels((await capture('/shadow', shadow)).png)).boxOf(RED)).toEqual([4, 1004, 100, 50]);
  const other = red.replace('127.0.0.1', 'localhost');
  const object = `<object type="text/html" data="${other}" style="display:block;width:100px;height:50px;margin-left:4px"></object>`;
  expect((await readPixels((await capture('/object', object)).png)).boxOf(RED)).toEqual([4, 1000, 100, 50]);
  const outer = site.page('/outer', html(frame(red), '<style>body{margin:0}</style>'));
  const nested = `<iframe src="${outer}" style="display:block;border:0;width:300px;height:200px"></iframe>`;
  expect((await readPixels((await capture('/nested', nested)).png)).boxOf(RED)).toEqual([4, 1004, 100, 50]);
});

it.each([1, 2, 1.5])('a frame taller than the window is drawn as a whole, at a scale of %d', async (factor) => {
  const red = site.page('/red', colored('#f00'));
  const { png } = await capture(`/tall-${factor}`, frame(red, 'height:1500px'), factor);
  expect((await readPixels(png)).boxOf(RED)).toEqual([4, 1004, 100, 1500].map((side) => Math.round(side * factor)));
});

it('what is fixed stays where it is, what covers a frame covers it, and each screenshot is the same', async () => {
  const red = site.page('/red', colored('#f00'));
  const bar = '<div style="position:fixed;left:0;top:0;width:800px;height:40px;background:#0f0"></div>';
  const over = '<div style="position:relative;top:-30px;height:10px;width:60px;background:#00f"></div>';
  const first = await capture('/covered', `${bar}${frame(red)}${over}`);
  const pixels = await readPixels(first.png);
  expect(pixels.boxOf([0, 255, 0])).toEqual([0, 0, 800, 40]);
  expect(pixels.boxOf(BLUE)).toEqual([0, 1028, 60, 10]);
  expect(pixels.boxOf(RED)).toEqual([4, 1004, 100, 50]);
  expect((await capture('/covered', `${bar}${frame(red)}${over}`)).sha256).toBe(first.sha256);
});
