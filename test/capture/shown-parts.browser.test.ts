import { expect, it } from '@jest/globals';
import { readPixels } from './pixels.ts';
import { never, requestOf } from './requests.ts';
import { siteAndBrowser } from './site-and-browser.ts';
import { html } from './site.ts';

const { site, browser } = siteAndBrowser();

const GAP = '<div style="height: 2000px"></div>';
const STYLES = `<style>body { margin: 0 } p { margin: 0; height: 40px; background: #00ff00; opacity: 0; transition: opacity 1s }
  .shown { opacity: 1 } .beside { opacity: 1; transform: translateX(100%) } .turned { opacity: 1; backface-visibility: hidden; transform: rotateY(-100deg) } .beside.shown, .turned.shown { transform: none }</style>`;

async function capture(name: string, body: string) {
  const { png } = await browser.capture(
    requestOf(site.page(`/${name.replaceAll(' ', '-')}`, html(body, STYLES))),
    never,
  );
  return readPixels(png);
}

const looks = (toggle: string) =>
  `<script>const toggle = (part, shows) => { ${toggle} };
     new IntersectionObserver((entries) => { for (const { target, isIntersecting } of entries) toggle(target, isIntersecting) }, { threshold: 0.5 }).observe(e)</script>`;

const TOGGLE = "part.classList.toggle('shown', shows)";

it.each([
  ['fades', '<p id="e"></p>', looks(TOGGLE)],
  ['turns round', '<p id="e" class="turned"></p>', looks(TOGGLE)],
  ['follows after a while', '<p id="e"></p>', looks(`setTimeout(() => { ${TOGGLE} }, 200)`)],
  ['has a class for either', '<p id="e"></p>', looks("part.className = shows ? 'shown' : 'away'")],
  [
    'slides in from beside the page',
    '<p id="e" class="beside"></p>',
    "<script>onscroll = () => e.classList.toggle('shown', e.getBoundingClientRect().top < innerHeight)</script>",
  ],
  [
    'is looked for now and then',
    '<p id="e"></p>',
    `<script>let waits = 0;
       const look = () => { waits = 0; e.classList.toggle('shown', e.getBoundingClientRect().top < innerHeight) };
       addEventListener('scroll', () => { waits ||= setTimeout(look, 99) })</script>`,
  ],
])('a part that is hidden again out of the window is shown: one that %s', async (name, part, script) => {
  expect((await capture(name, `${GAP}${part}${script}`)).boxOf([0, 255, 0])).toEqual([0, 2000, 800, 40]);
});

it.each([
  ['a style', "part.style.opacity = shows ? '1' : '0'"],
  ['an attribute', "part.toggleAttribute('data-shown', shows)"],
  [
    'an animation that begins late',
    "part.animate([{ opacity: shows ? 0 : 1 }, { opacity: shows ? 1 : 0 }], { delay: 400, duration: 500, fill: 'both' })",
  ],
])('a part is shown that the page hides out of the window by %s', async (name, toggle) => {
  const part = `<style>[data-shown] { opacity: 1 }</style><p id="e"></p>`;
  expect((await capture(name, `${GAP}${part}${looks(toggle)}`)).boxOf([0, 255, 0])).toEqual([0, 2000, 800, 40]);
});

it('what a page renders only in the window is shown, also if a framework renders it later', async () => {
  const part = '<div id="e" style="height: 40px"></div>';
  const toggle = `setTimeout(() => { part.innerHTML = shows ? '<p style="opacity: 1"></p>' : '' })`;
  expect((await capture('rendered', `${GAP}${part}${looks(toggle)}`)).boxOf([0, 255, 0])).toEqual([0, 2000, 800, 40]);
});

it('a part that can be seen as before is not said to be in the window', async () => {
  const part = `<b id="link" style="display: block; width: 10px; height: 10px"></b>${GAP}
    <div id="e" style="height: 40px">Part <a href="#e" style="opacity: 0">#</a></div>`;
  const toggle = "link.style.background = shows ? '#00ff00' : '#0000ff'";
  expect((await capture('list of parts', `${part}${looks(toggle)}`)).boxOf([0, 0, 255])).toEqual([0, 0, 10, 10]);
});

it.each([
  [
    'another that takes turns with it',
    `<div style="position: relative; height: 40px"><p id="e" style="position: absolute; width: 100%"></p>
       <p id="other" style="position: absolute; width: 100%; background: #0000ff; opacity: 1"></p></div>`,
    `<script>new IntersectionObserver(([{ isIntersecting }]) => {
       e.classList.toggle('shown', isIntersecting); other.style.opacity = isIntersecting ? 0 : 1 }).observe(e)</script>`,
  ],
  [
    'a button that is fixed below a page that is scrolled',
    '<p id="e" style="position: fixed; bottom: -20px"></p>',
    "<script>onscroll = () => e.classList.toggle('shown', scrollY > 0)</script>",
  ],
])('what is hidden is not shown instead of %s', async (name, part, script) => {
  expect((await capture(name, `${GAP}${part}${GAP}${script}`)).boxOf([0, 255, 0])).toBe(null);
});

it.each([
  ['in the next frame', 'waits ||= requestAnimationFrame(() => { waits = 0; show() })'],
  ['now and then', 'waits ||= setTimeout(() => { waits = 0; show() }, 99)'],
  ['once scrolling has paused', 'clearTimeout(waits); waits = setTimeout(show, 99)'],
])('a part is shown that the window ends in at first, if a script looks for whole parts %s', async (name, reacts) => {
  const parts = Array.from({ length: 30 }, (_, index) => 70 * index);
  const script = `<script>let waits = 0;
    const show = () => { for (const part of document.querySelectorAll('p')) {
      const { top, bottom } = part.getBoundingClientRect(); if (top >= 0 && bottom <= innerHeight) part.style.opacity = 1 } };
    show(); addEventListener('scroll', () => { ${reacts} })</script>`;
  const pixels = await capture(name, `${'<p style="height: 70px"></p>'.repeat(30)}${script}`);
  expect(parts.filter((top) => pixels.at(400, top + 35).join() !== '0,255,0')).toEqual([]);
});
