import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { decodeElementMap } from '../../src/elements/encode-element-map.ts';
import { selectElements } from '../../src/elements/select-elements.ts';
import { decodePng } from '../../src/png/codec.ts';
import { openKeptBrowser, type KeptTestBrowser } from './kept-browser.ts';
import { readPixels, type Color } from './pixels.ts';
import { never, requestOf } from './requests.ts';
import { siteAndBrowser } from './site-and-browser.ts';
import { html } from './site.ts';

const { site, browser } = siteAndBrowser();

const RED: Color = [255, 0, 0];
const GREEN: Color = [0, 255, 0];
const BLUE: Color = [0, 0, 255];

/** 16,384 is in the middle of a line of text. */
const LINE = 72;
/** The price of a tall screenshot is its area. */
const WIDTH = 200;
const TEXT_WIDTH = 100;

const linesPage = (count: number) =>
  html(
    `${`<pre>The same words in <b>each</b> line, &lt;code&gt; too</pre>`.repeat(count)}
     <div style="position:fixed;right:0;bottom:0;width:30px;height:20px;background:#f00"></div>
     <div style="position:absolute;right:60px;top:0;bottom:0;width:30px"><div
       style="position:sticky;bottom:0;top:0;width:30px;height:20px;background:#0f0"></div></div>`,
    `<style>body { margin: 0; position: relative }
      pre { margin: 0; height: ${LINE}px; line-height: ${LINE}px; font-size: 30px; width: ${TEXT_WIDTH}px; overflow: hidden }</style>`,
  );

let textured: KeptTestBrowser;
beforeAll(async () => {
  textured = await openKeptBrowser({ inSoftware: false });
});
afterAll(async () => textured.close());

const narrow = (url: string, deviceScaleFactor = 1) =>
  requestOf(url, { viewport: { ...requestOf('').viewport, width: WIDTH, deviceScaleFactor } });

const captureBy = async (how: string, request: CaptureRequest) =>
  how === 'textures' ? textured.capture(request.url, request) : browser.capture(request, never);

describe('a page taller than a texture', () => {
  it.each([
    [1, 500, 'textures'],
    [2, 300, 'textures'],
    [1.5, 350, 'textures'],
    [1, 500, 'software'],
    [2, 300, 'software'],
  ])('is one screenshot without seams, at a scale of %d, %d lines by %s', async (factor, count, how) => {
    const url = site.page(`/lines-${factor}`, linesPage(count));
    const request = narrow(url, factor);
    const { png, height, cut, warnings } = await captureBy(how, request);
    expect([height, cut, warnings]).toEqual([count * LINE * factor, false, []]);
    const image = await decodePng(png, 'captured');
    const rows = (line: number) => {
      const from = line * LINE * factor;
      const stride = image.width * 4;
      return Array.from({ length: LINE * factor }, (_, row) =>
        image.pixels.subarray((from + row) * stride, (from + row) * stride + TEXT_WIDTH * 4 * factor),
      );
    };
    const usual = Buffer.concat(rows(1));
    const other = Array.from({ length: count }, (_, line) => line).filter(
      (line) => !Buffer.concat(rows(line)).equals(usual),
    );
    expect(other).toEqual([]);
  });

  it.each(['textures', 'software'])('shows once what is fixed or sticky, by %s', async (how) => {
    const url = site.page('/fixed', linesPage(500));
    const { png } = await captureBy(how, narrow(url));
    const pixels = await readPixels(png);
    expect(pixels.boxOf(RED)).toEqual([WIDTH - 30, 580, 30, 20]);
    expect(pixels.boxOf(GREEN)).toEqual([WIDTH - 90, 0, 30, 20]);
  });

  it('has the same bytes each time, so that an unchanged one is settled at the first look', async () => {
    const url = site.page('/again', linesPage(500));
    const first = await browser.captureBelieved(narrow(url), never);
    expect(first.height).toBe(500 * LINE);
    const baseline = { sha256: first.sha256, atRest: true };
    const second = await browser.captureBelieved({ ...narrow(url), baseline }, never);
    expect([second.sha256, second.screenshots]).toEqual([first.sha256, 1]);
  });

  it('shows what is drawn only near the viewport, and what loads only there', async () => {
    const url = site.page(
      '/late',
      html(
        `<style>body { margin: 0 } section { content-visibility: auto; contain-intrinsic-size: auto 1000px }
           div { height: 1000px }</style>
         ${'<section><div></div></section>'.repeat(29)}
         <section><div id="drawn" style="background:#00f"></div></section><div id="loaded"></div>
         <script>new IntersectionObserver(([entry]) => {
           if (entry.isIntersecting) loaded.style.background = '#0f0';
         }).observe(loaded)</script>`,
      ),
    );
    const { png, elements } = await browser.capture(narrow(url), never);
    const pixels = await readPixels(png);
    expect(pixels.boxOf(BLUE)).toEqual([0, 29_000, WIDTH, 1000]);
    expect(pixels.boxOf(GREEN)).toEqual([0, 30_000, WIDTH, 1000]);
    const map = await decodeElementMap(elements ?? Buffer.from(''));
    expect(selectElements(map, '#drawn')[0]?.box).toEqual([0, 29_000, WIDTH, 1000]);
  });
});
