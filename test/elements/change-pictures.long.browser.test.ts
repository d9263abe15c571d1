import { describe, expect, it } from '@jest/globals';
import { compareImages } from '../../src/compare/compare-images.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import { pageTaker } from './take-pages.ts';

const { take, takeOnce } = pageTaker();

const drawing = (color: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="${color}"/></svg>`)}`;

const WORDS = 'The quick brown fox jumps over the lazy dog while the gate is closed for everyone who came too late. ';

/** Pages of a site: the same frame, and contents of different heights. */
const page = (name: string, paragraphs: number) => `<!doctype html><html lang="en"><head><title>${name}</title><style>
  body { margin: 0; font: 16px/1.5 sans-serif; color: #333 }
  header { display: flex; align-items: center; gap: 24px; min-height: 64px; padding: 0 24px; background: #eef }
  nav a { padding: 4px 8px }
  .page { display: flex; gap: 32px; padding: 24px }
  main { flex: 1 } aside { width: 180px; padding: 12px; background: #f6f8fa }
  .card { border: 1px solid #ccc; padding: 16px; margin: 16px 0 }
  footer { padding: 24px; background: #222; color: #fff }
  </style></head><body>
  <header><img class="logo" src="${drawing('teal')}" width="60" height="40" alt="Shop"><nav><a href="/a">Goods</a> <a href="/b">About us</a></nav></header>
  <div class="page"><main><h1>${name}</h1>
  ${Array.from({ length: paragraphs }, (_, at) => `<p>${name} ${at}. ${WORDS.repeat(1 + (at % 3))}</p>`).join('\n')}
  <div class="card"><h2>Offer</h2><p>It costs 20 euros.</p></div>
  </main><aside><h2>Related</h2><p>Nothing</p></aside></div>
  <footer><p>All rights reserved</p></footer></body></html>`;

const WIDTH = 800;
const PAGES = [page('Welcome', 3), page('Delivery', 6), page('Returns and money', 1)];

type Edit = (html: string) => string;
const replace =
  (from: string, to: string): Edit =>
  (html) =>
    html.replace(from, to);
const style = (rule: string): Edit => replace('</style>', `${rule}</style>`);
const both =
  (...edits: Edit[]): Edit =>
  (html) =>
    edits.reduce((edited, edit) => edit(edited), html);

/** How many pages show each change, and in how many pictures: `3 in 1`. The pages are edited alike but for the last one. */
async function lookOf(edit: Edit, last: Edit = edit): Promise<Record<string, string>> {
  const found = await Promise.all(
    PAGES.map(async (html, at) => {
      const edited = (at === PAGES.length - 1 ? last : edit)(html);
      if (edited === html) throw new Error('nothing was edited');
      const [before, after] = await Promise.all([takeOnce(html, WIDTH), take(edited, WIDTH)]);
      const { regions } = await compareImages(before.png, after.png, { threshold: 0 });
      return findChanges({ baseline: before.map, current: after.map }, regions);
    }),
  );
  const byKey = new Map<string, { name: string; pictures: string[] }>();
  for (const { key, kind, element, picture } of found.flat()) {
    const known = byKey.get(key) ?? { name: `${kind} ${element}`, pictures: [] };
    byKey.set(key, { ...known, pictures: [...known.pictures, picture] });
  }
  return Object.fromEntries(
    [...byKey.values()].map(({ name, pictures }) => [name, `${pictures.length} in ${new Set(pictures).size}`]),
  );
}

const banner = (css: string) => replace('<header', `<div class="banner" style="${css}">Sale!</div><header`);

describe('a change of every page shows the same on each', () => {
  it.each<[string, Edit, Record<string, string>]>([
    ['words of the bar', replace('About us', 'About our company'), { 'TEXT nav a': '3 in 1' }],
    ['a bar that moves all else down', style('header { min-height: 72px }'), { 'RESIZED header': '3 in 1' }],
    ['a banner', banner('padding: 20px'), { 'ADDED div.banner': '3 in 1' }],
    ['a part at another height of each page', style('.card { background: #ffe }'), { 'RESTYLED div.card': '3 in 1' }],
    ['a part in several places', style('h2 { color: #a00 }'), { 'RESTYLED h2': '3 in 1' }],
    ['words below the contents', replace('reserved', 'reserved, always'), { 'TEXT footer p': '3 in 1' }],
  ])('%s', async (_, edit, expected) => {
    expect(await lookOf(edit)).toMatchObject(expected);
  });

  it('and stays so beside what else was edited on one page', async () => {
    const words = replace('About us', 'About our company');
    const look = await lookOf(words, both(words, replace('quick', 'slow')));
    expect(look).toEqual({ 'TEXT nav a': '3 in 1', 'TEXT main p': '1 in 1' });
  });
});

describe('what a page shows otherwise is told apart, where the change has the same name', () => {
  /** In how many pictures each group of all pages comes, which is what a reviewer would approve at once. */
  const picturesOfAll = async (edit: Edit, last: Edit) =>
    Object.values(await lookOf(edit, last)).filter((look) => look.startsWith('3 in '));

  it.each<[string, Edit, Edit]>([
    ['a banner that is red', banner('background: #eef'), banner('background: #d00')],
    [
      'a background with another picture in it',
      style('header { background: #fee }'),
      both(style('header { background: #fee }'), style('.logo { filter: invert(1) }')),
    ],
    [
      'a bar with words that no element has',
      style('header { background: #fee }'),
      both(style('header { background: #fee }'), style('nav::after { content: "BROKEN" }')),
    ],
  ])('%s', async (_, edit, last) => {
    expect(await picturesOfAll(edit, last)).not.toContain('3 in 1');
  });
});
