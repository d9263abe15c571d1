import { describe, expect, it } from '@jest/globals';
import { compareImages } from '../../src/compare/compare-images.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import type { PageChange } from '../../src/elements/page-change.ts';
import { pageTaker } from './take-pages.ts';

const { take, takeOnce } = pageTaker();

const drawing = (color: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><rect width="120" height="60" fill="${color}"/></svg>`)}`;

const words = 'The quick brown fox jumps over the lazy dog while the gate is closed for everyone who came too late. ';

/** Pages of a site: the same frame, and contents of different lengths. */
const shop = (name: string, paragraphs: number) => `<!doctype html><html lang="en"><head><title>${name}</title><style>
  body { margin: 0; font: 16px/1.5 sans-serif; color: #333 }
  header.bar { display: flex; align-items: center; gap: 24px; height: 64px; padding: 0 24px; background: #eef }
  header.bar .inner { display: flex; gap: 16px; align-items: center }
  nav a { padding: 4px 8px } nav a.cta { background: #1a7f37; color: #fff }
  .page { display: flex; gap: 32px; padding: 24px }
  main { flex: 1 } aside { width: 180px; padding: 12px; background: #f6f8fa }
  .card { border: 1px solid #ccc; padding: 16px; margin: 16px 0; border-radius: 6px }
  .note { position: relative; width: 100px; background: #ffd }
  footer { padding: 24px; background: #222; color: #fff }
  </style></head><body>
  <header class="bar"><div class="inner"><a class="logo" href="/">Shop</a><nav><a href="/a">Goods</a> <a href="/b">About us</a> <a class="cta" href="/c">Buy now</a></nav></div></header>
  <div class="page"><main><h1 id="${name.toLowerCase()}">${name}</h1>
  ${Array.from({ length: paragraphs }, (_, at) => `<p>${name} ${at}. ${words.repeat(1 + (at % 3))}</p>`).join('\n')}
  <img src="${drawing('teal')}" width="120" height="60" alt="Sign">
  <div class="card"><h2 id="offer-${paragraphs}">Offer of ${name}</h2><p>It costs 20 euros.</p></div>
  <p class="note">A note</p>
  </main><aside><h2>Related</h2><ul class="related"><li>One</li><li>Two</li></ul></aside></div>
  <footer><p>All rights reserved</p></footer></body></html>`;

/** Two pages, each at a viewport of its own. */
const PLACES = [
  { name: 'Welcome', paragraphs: 3, width: 800 },
  { name: 'Delivery', paragraphs: 6, width: 500 },
];

async function changesOf(page: string, edited: string, width: number): Promise<PageChange[]> {
  const [baseline, current] = await Promise.all([takeOnce(page, width), take(edited, width)]);
  const { regions } = await compareImages(baseline.png, current.png, { threshold: 0 });
  return findChanges({ baseline: baseline.map, current: current.map }, regions);
}

type Edit = (page: string) => string;

/** The changes of every page and viewport, once each. */
async function groupsOf(edit: Edit): Promise<string[]> {
  const found = await Promise.all(
    PLACES.map(async ({ name, paragraphs, width }) => {
      const page = shop(name, paragraphs);
      const edited = edit(page);
      if (edited === page) throw new Error('nothing was edited');
      return changesOf(page, edited, width);
    }),
  );
  const groups = new Map(
    found.flat().map(({ key, kind, element, summary }) => [key, `${kind} ${element}: ${summary}`]),
  );
  return [...groups.values()];
}

const replace =
  (from: string, to: string): Edit =>
  (page) =>
    page.replace(from, to);

const style = (rule: string): Edit => replace('</style>', `${rule}</style>`);

describe('a change of every page is one group, over pages and viewports', () => {
  it.each<[string, Edit, string[]]>([
    ['a bar that got higher', style('header.bar { height: 72px }'), ['RESIZED header.bar: 8 px taller']],
    [
      'a bar with more padding',
      style('header.bar { height: auto; padding: 32px 24px }'),
      ['RESTYLED header.bar: padding 0px 24px → 32px 24px, height 64px → auto'],
    ],
    ['a button', style('nav a.cta { background: #0969da }'), ['RESTYLED nav a.cta: background #1a7f37 → #0969da']],
    [
      'words of the bar',
      replace('About us', 'About our company'),
      ['TEXT nav a: text “About us” → “About our company”'],
    ],
    [
      'items of a list',
      replace('<li>Two</li>', '<li>Two</li><li>Three</li><li>Four</li>'),
      ['ADDED aside ul.related: 2 items added'],
    ],
    ['an item that is gone', replace('<li>One</li>', ''), ['REMOVED ul.related li: removed: “One”']],
    [
      'a banner at the top',
      replace('<header', '<div class="banner">Sale!</div><header'),
      ['ADDED div.banner: added: “Sale!”'],
    ],
    ['the part of a page', style('.card { padding: 24px }'), ['RESTYLED div.card: padding 16px → 24px']],
    ['headings', style('h2 { color: #a00 }'), ['RESTYLED h2: color #333333 → #aa0000']],
    [
      'the typeface of the page',
      style('body { font-family: serif }'),
      ['RESTYLED body: font-family sans-serif → serif'],
    ],
    [
      'the colors of the page',
      style('body { color: #eee; background: #111 }'),
      ['RESTYLED body: color #333333 → #eeeeee, background transparent → #111111'],
    ],
    [
      'an image of another size',
      replace('width="120" height="60" alt', 'width="240" height="120" alt'),
      ['RESIZED main img: 60 px taller, 120 px wider'],
    ],
    ['a wider column, which squeezes the other', style('aside { width: 220px }'), ['RESIZED aside: 40 px wider']],
    [
      'the order of a list',
      replace('<li>One</li><li>Two</li>', '<li>Two</li><li>One</li>'),
      ['MOVED ul.related li: moved 24 px down'],
    ],
    ['a border', style('.card { border: 2px solid #ccc }'), ['RESTYLED div.card: border-width 1px → 2px']],
    ['less room between paragraphs', style('main p { margin: 8px 0 }'), ['RESTYLED p: margin 16px 0px → 8px 0px']],
    [
      'words on the button that make it longer',
      replace('Buy now', 'Buy now and save'),
      ['TEXT nav a.cta: text “Buy now” → “Buy now and save”'],
    ],
    ['the font of the page', style('body { font-size: 17px }'), ['RESTYLED body: font-size 16px → 17px']],
    ['an image', replace(drawing('teal'), drawing('navy')), ['IMAGE main img: image replaced']],
    ['the place of a note', style('.note { left: 30px }'), ['MOVED p.note: moved 30 px to the right']],
    ['the gap of a list', style('.inner { gap: 40px !important }'), ['RESTYLED header div.inner: gap 16px → 40px']],
    [
      'a shadow',
      style('aside { box-shadow: 0 2px 8px #ccc }'),
      ['RESTYLED aside: box-shadow none → #cccccc 0px 2px 8px 0px'],
    ],
    [
      'words of a style sheet',
      style('.card::after { content: "!" ; position: absolute; background: red }'),
      ['ADDED div.card::after: added: “!”'],
    ],
  ])('%s', async (_, edit, groups) => {
    expect(await groupsOf(edit)).toEqual(groups);
  });

  it('stays one beside what else was edited on one page', async () => {
    const groups = await groupsOf((page) =>
      replace('About us', 'About our company')(page).replace('Delivery 4. The', 'Delivery 4. A'),
    );
    expect(groups).toEqual([
      'TEXT nav a: text “About us” → “About our company”',
      expect.stringMatching(/^TEXT main p: text “Delivery 4. The quick.*” → “Delivery 4. A quick.*”$/),
    ]);
  });

  it('is told from a second one that happens to be in the same bar', async () => {
    const groups = await groupsOf((page) =>
      style('header.bar { height: 72px } nav a.cta { background: #0969da }')(page),
    );
    expect(groups).toEqual(['RESIZED header.bar: 8 px taller', 'RESTYLED nav a.cta: background #1a7f37 → #0969da']);
  });
});
