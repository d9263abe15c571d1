import { compareImages } from '../../src/compare/compare-images.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import type { PageChange } from '../../src/elements/page-change.ts';
import type { pageTaker } from './take-pages.ts';

type Taker = ReturnType<typeof pageTaker>;

export const drawing = (color: string) =>
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

export async function changesOf(
  { take, takeOnce }: Taker,
  page: string,
  edited: string,
  width: number,
): Promise<PageChange[]> {
  const [baseline, current] = await Promise.all([takeOnce(page, width), take(edited, width)]);
  const { regions } = await compareImages(baseline.png, current.png, { threshold: 0 });
  return findChanges({ baseline: baseline.map, current: current.map }, regions);
}

export type Edit = (page: string) => string;

/** The changes that the edit makes on every page and viewport, once each. */
export async function groupsOf(taker: Taker, edit: Edit): Promise<string[]> {
  const found = await Promise.all(
    PLACES.map(async ({ name, paragraphs, width }) => {
      const page = shop(name, paragraphs);
      const edited = edit(page);
      if (edited === page) throw new Error('nothing was edited');
      return changesOf(taker, page, edited, width);
    }),
  );
  const groups = new Map(
    found.flat().map(({ key, kind, element, summary }) => [key, `${kind} ${element}: ${summary}`]),
  );
  return [...groups.values()];
}

export const replace =
  (from: string, to: string): Edit =>
  (page) =>
    page.replace(from, to);

export const style = (rule: string): Edit => replace('</style>', `${rule}</style>`);
