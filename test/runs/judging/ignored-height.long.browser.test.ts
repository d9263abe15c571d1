import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openComparer, paragraphs, sentence, VIEWPORT_NAMES, type Pair } from './compare-pages.ts';
import { LAYOUT_CASES, NEWS, news, type Layout } from './ignored-layouts.ts';

const config = (cut: boolean) => ({ fullPage: !cut, rules: [{ paths: ['**'], ignore: ['.news'] }] });

function pairOf({ page, style = '', lines: [few, many] = [2, 4] }: Layout): Pair {
  return { style: `${NEWS} ${style}`, before: page(few), after: page(many) };
}

const around = (lines: number, change: { above?: string; beside?: string; below?: string; gap?: number } = {}) => {
  const { above = 'All news of this week', beside = sentence(5, 30), below = 'More news below', gap = 12 } = change;
  return `${paragraphs(1)}<p>${above}</p><div class="row"><div>${news(lines)}<p style="margin-top: ${gap}px">${below}</p></div><aside>${beside}</aside></div>${paragraphs(6, 9)}`;
};
const AROUND_STYLE = `${NEWS} .row { display: flex; gap: 30px } .row > * { flex: 1 }`;
const CHANGES = [
  { name: 'above it', change: { above: 'All news of last week' } },
  { name: 'beside it', change: { beside: sentence(6, 30) } },
  { name: 'below it', change: { below: 'No more news' } },
  { name: 'of the gap below it', change: { gap: 13 } },
  { name: 'removed below it', change: { below: '' } },
  { name: 'a color beside it', change: { beside: `<span style="color: #343434">${sentence(5, 30)}</span>` } },
].flatMap((one) => VIEWPORT_NAMES.map((viewport) => ({ ...one, viewport })));

const MOVED = [
  {
    name: 'text that flows around it',
    page: (lines: number) => `${news(lines)}${paragraphs(9)}`,
    style: '.news { float: right; width: 200px }',
  },
  {
    name: 'a background that is as tall as the page',
    page: (lines: number) => `${news(lines)}${paragraphs(9)}`,
    style: 'body { background: linear-gradient(#fff, #ccd) }',
  },
];

let comparer: Awaited<ReturnType<typeof openComparer>>;

beforeAll(async () => {
  comparer = await openComparer();
});

afterAll(async () => {
  await comparer.close();
});

describe('an ignored element of another height', () => {
  it.each(LAYOUT_CASES)('changes nothing else: $name, $viewport', async ({ viewport, cut = false, ...layout }) => {
    for (const compared of await comparer.compareBothWays(pairOf(layout), viewport, config(cut))) {
      expect(compared).toMatchObject({ differentPixels: 0, regions: [] });
      expect(compared.ignoredPixels).toBeGreaterThan(0);
    }
  });
});

describe('a change of its own, where an ignored element has another height,', () => {
  it.each(CHANGES)('is found: $name, $viewport', async ({ change, viewport }) => {
    for (const [few, many] of [
      [2, 4],
      [4, 2],
      [3, 3],
    ] as const) {
      const pair = { style: AROUND_STYLE, before: around(few), after: around(many, change) };
      for (const compared of await comparer.compareBothWays(pair, viewport, config(false))) {
        expect(compared.differentPixels).toBeGreaterThan(0);
      }
    }
  });

  it.each([3, 9])('is found where it takes some of the space that grew beside it: %i px', async (gap) => {
    const items = (top: number) =>
      Array.from({ length: 6 }, (_, at) => `<p style="margin-top: ${at === 3 ? 8 + top : 8}px">Item ${at}</p>`).join(
        '',
      );
    const page = (lines: number, top = 0) =>
      `<div class="row"><div>${paragraphs(4)}${news(lines)}${paragraphs(3, 5)}</div><aside>${items(top)}</aside></div>${paragraphs(4, 9)}`;
    const pair = { style: `${AROUND_STYLE} aside p { margin: 8px 0 }`, before: page(2), after: page(5, gap) };
    for (const compared of await comparer.compareBothWays(pair, 'desktop', config(false))) {
      expect(compared.differentPixels).toBeGreaterThan(0);
    }
    const alone = { ...pair, after: page(5) };
    expect(await comparer.compare(alone, 'desktop', config(false))).toMatchObject({ differentPixels: 0 });
  });

  it('is found where it takes some of the space that it leaves in its column', async () => {
    const page = (lines: number, top: number) =>
      `<div class="row"><div><p>${sentence(1)}</p><p style="margin-top: ${top}px">${sentence(2, 40)}</p>${paragraphs(2, 3)}${news(lines)}${paragraphs(3, 5)}</div><aside>${paragraphs(2, 3)}</aside></div>${paragraphs(4, 9)}`;
    const pair = { style: AROUND_STYLE, before: page(5, 16), after: page(2, 26) };
    for (const compared of await comparer.compareBothWays(pair, 'desktop', config(false))) {
      expect(compared.differentPixels).toBeGreaterThan(0);
    }
  });

  it.each(VIEWPORT_NAMES)('is one place, and not the rest of the page with it: %s', async (viewport) => {
    const pair = { style: AROUND_STYLE, before: around(2), after: around(4, { below: 'No more news' }) };
    const { regions } = await comparer.compare(pair, viewport, config(false));
    expect(regions).toHaveLength(1);
    expect(regions[0]?.height).toBeLessThan(30);
  });

  it.each(VIEWPORT_NAMES)('is found wherever something is drawn: %s', async (viewport) => {
    const mark = '<i style="display: inline-block; width: 2px; height: 2px; background: #fe8"></i>';
    const page = around(2);
    const places = [...page.matchAll(/<p>|<p [^>]*>|<aside>/g)].map(({ index, 0: tag }) => index + tag.length);
    for (const place of places) {
      const at = place < page.indexOf('news') ? place : place + around(4).length - page.length;
      const after = `${around(4).slice(0, at)}${mark}${around(4).slice(at)}`;
      const { differentPixels } = await comparer.compare(
        { style: AROUND_STYLE, before: page, after },
        viewport,
        config(false),
      );
      expect(differentPixels).toBeGreaterThan(0);
    }
  });
});

describe('what an ignored element moves sideways or stretches', () => {
  it.each(MOVED)('counts, unless it is removed: $name', async ({ page, style }) => {
    const pair = { style: `${NEWS} ${style}`, before: page(2), after: page(9) };
    expect((await comparer.compare(pair, 'desktop', config(false))).differentPixels).toBeGreaterThan(0);
    const without = { ...pair, style: `${pair.style} .news { display: none !important }` };
    expect((await comparer.compare(without, 'desktop', config(false))).differentPixels).toBe(0);
  });
});
