import { expect, it } from '@jest/globals';
import { readPixels } from './pixels.ts';
import { never, requestOf } from './requests.ts';
import { siteAndBrowser } from './site-and-browser.ts';
import { html } from './site.ts';

const { site, browser } = siteAndBrowser();

const STYLES = `<style>
  body { margin: 0 } marquee { display: block }
  p { width: 40px; height: 40px; margin: 0; background: #00ff00 }
</style>`;

it.each([
  ['from the right', ''],
  ['from the left', 'direction="right"'],
  ['up and down', 'direction="up" behavior="alternate" height="90"'],
  ['once', 'loop="1"'],
  ['up to the edge', 'behavior="slide"'],
  ['so fast that it turns around all the time', 'scrollamount="9999"'],
])('a marquee that moves %s shows its text at its start', async (name, attributes) => {
  const page = html(`<marquee ${attributes}><p></p></marquee>`, STYLES);
  const { png } = await browser.capture(requestOf(site.page(`/${name.replaceAll(' ', '-')}`, page)), never);
  expect((await readPixels(png)).boxOf([0, 255, 0])).toEqual([0, 0, 40, 40]);
});

it.each(['allow-scripts', ''])('a marquee in a frame shows its text at its start (sandbox: %p)', async (sandbox) => {
  const inner = `${STYLES}<marquee><p></p></marquee>`.replaceAll('"', '&quot;');
  const page = html(`<iframe sandbox="${sandbox}" frameborder="0" srcdoc="${inner}"></iframe>`, STYLES);
  const url = site.page(`/frame-${sandbox}`, page);
  const { png, warnings } = await browser.capture(requestOf(url), never);
  expect(warnings).toEqual([]);
  expect((await readPixels(png)).boxOf([0, 255, 0])).toEqual([0, 0, 40, 40]);
});
