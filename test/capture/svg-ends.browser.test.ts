import { describe, expect, it } from '@jest/globals';
import { readPixels } from './pixels.ts';
import { never, requestOf } from './requests.ts';
import { siteAndBrowser } from './site-and-browser.ts';
import { html } from './site.ts';

const { site, browser } = siteAndBrowser();

const GREEN = '#00ff00';
/** Where a square of 40 px is green after all. */
const PLACE = [0, 0, 40, 40];

const animate = (name: string, rest: string) => `<animate attributeName="${name}" dur="2s" fill="freeze" ${rest}/>`;
const turn = (rest: string) => `<animateTransform attributeName="transform" dur="2s" fill="freeze" ${rest}/>`;
const rect = (inner: string, rest = `fill="${GREEN}"`) => `<rect width="40" height="40" ${rest}>${inner}</rect>`;

const FADED = `fill="${GREEN}" opacity="0"`;
const motion = (rest: string) => `<animateMotion dur="2s" fill="freeze" ${rest}/>`;

async function greenOf(name: string, inner: string) {
  const styles = '<style>body { margin: 0 } svg { display: block; overflow: visible }</style>';
  const url = site.page(`/${name.replaceAll(' ', '-')}`, html(`<svg width="80" height="40">${inner}</svg>`, styles));
  const { png } = await browser.capture(requestOf(url), never);
  return (await readPixels(png)).boxOf([0, 255, 0]);
}

describe('an animation in an SVG of the document', () => {
  it.each([
    ['a color', rect(animate('fill', `to="${GREEN}"`), 'fill="red"')],
    ['several values', rect(animate('opacity', 'values="0; 0.5; 1;"'), FADED)],
    ['a later begin', rect(animate('opacity', 'begin="1.5s" from="0" to="1"'), FADED)],
    ['a length', `<rect height="40" fill="${GREEN}">${animate('width', 'from="0" to="40"')}</rect>`],
    ['points', `<polygon fill="${GREEN}">${animate('points', 'to="0,0 40,0 40,40 0,40"')}</polygon>`],
    ['a path', `<path fill="${GREEN}">${animate('d', 'from="M0 0H1V1" to="M0 0H40V40H0Z"')}</path>`],
    [
      'a line that a style hides',
      `<style>path { stroke-dasharray: 40; stroke-dashoffset: 40 }</style><path d="M0 20H40" stroke="${GREEN}" stroke-width="40">${animate('stroke-dashoffset', 'from="40" to="0"')}</path>`,
    ],
    ['a move', rect(turn('type="translate" from="-90" to="0"'), `fill="${GREEN}" transform="translate(-90)"`)],
    [
      'two moves that add up',
      `<rect x="10" width="20" height="20" fill="${GREEN}">${turn('to="-20"')}${turn('additive="sum" type="scale" to="2"')}</rect>`,
    ],
    ['a value that is set', rect(`<set attributeName="fill" to="${GREEN}" begin="1s"/>`, 'fill="red"')],
    [
      'one after the other',
      rect(
        animate('opacity', 'id="one" to="1"') + animate('fill', `begin="one.end + 1s" to="${GREEN}"`),
        'fill="red" opacity="0"',
      ),
    ],
    ['an amount', rect(animate('x', 'by="20"'), `x="-20" fill="${GREEN}"`)],
    ['an amount from a value', rect(animate('x', 'from="-10" by="10"'), `x="90" fill="${GREEN}"`)],
    ['a move by an amount', rect(turn('by="30 0"'), `fill="${GREEN}" transform="translate(-30)"`)],
    ['a motion', rect(motion('to="20, 0"'), `x="-20" fill="${GREEN}"`)],
    [
      'a motion along a path that turns it',
      rect(motion('path="M0 0V40" rotate="auto"'), `x="-40" y="-40" fill="${GREEN}"`),
    ],
    ['a time or a click', rect(animate('fill', `begin="1s; click" to="${GREEN}"`), 'fill="red"')],
  ])('is shown at its end: %s', async (name, inner) => {
    expect(await greenOf(name, inner)).toEqual(PLACE);
  });

  it.each([
    ['does not keep its end', '<animate attributeName="fill" to="red" dur="2s"/>'],
    ['never ends', animate('fill', 'to="red" repeatCount="indefinite"')],
    ['waits for a click', animate('fill', 'begin="click" to="red"')],
    ['waits for one of two events', animate('fill', 'begin="click; focus" to="red"')],
    [
      'follows one that never ends',
      '<animate id="a" attributeName="y" to="0" dur="1s" repeatCount="indefinite"/>' +
        animate('fill', 'begin="a.end" to="red"'),
    ],
  ])('is not shown where it %s', async (name, inner) => {
    expect(await greenOf(name, rect(inner))).toEqual(PLACE);
  });
});

describe('an animation in an SVG image', () => {
  const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40">${inner}</svg>`;
  const ENDS = svg(rect(animate('opacity', 'to="1"') + turn('from="-90" to="0"'), FADED));

  it.each([
    ['an element', '<img src="/ends.svg">'],
    ['a data URL', `<img src="data:image/svg+xml,${encodeURIComponent(ENDS)}">`],
    ['a background', '<p style="height: 40px; background: url(/ends.svg) no-repeat"></p>'],
  ])('is shown at its end: %s', async (name, body) => {
    site.page('/ends.svg', (_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(ENDS));
    const styles = '<style>body, p { margin: 0 } img { display: block }</style>';
    const { png } = await browser.capture(requestOf(site.page(`/image-${name.length}`, html(body, styles))), never);
    expect((await readPixels(png)).boxOf([0, 255, 0])).toEqual(PLACE);
  });

  it('by its styles is shown at its end, also where a policy of the page lets no script parse it', async () => {
    const styles = `<style>@keyframes end { to { fill: ${GREEN} } } rect { animation: end 2s forwards }</style>`;
    const image = `data:image/svg+xml,${encodeURIComponent(svg(styles + rect('', 'fill="red"')))}`;
    const page = html(`<img src="${image}">`, '<style>body { margin: 0 } img { display: block }</style>');
    const headers = { 'content-type': 'text/html', 'content-security-policy': "require-trusted-types-for 'script'" };
    const url = site.page('/policy', (_, response) => response.writeHead(200, headers).end(page));
    const { png } = await browser.capture(requestOf(url), never);
    expect((await readPixels(png)).boxOf([0, 255, 0])).toEqual(PLACE);
  });
});
