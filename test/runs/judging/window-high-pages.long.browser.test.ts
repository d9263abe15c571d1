import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openComparer, paragraphs, sentence } from './compare-pages.ts';

let comparer: Awaited<ReturnType<typeof openComparer>>;

beforeAll(async () => {
  comparer = await openComparer();
});

afterAll(async () => {
  await comparer.close();
});

const guide = (added: string) =>
  `<nav>Home Guide About</nav><h1>Harbor guide</h1>${added}${paragraphs(3)}<h2>Opening hours</h2><p>Monday to Friday</p><p>Saturday</p>`;

const COLUMN = '.column { max-width: 640px; margin: auto }';
const FOOTER =
  'body { margin: 0; min-height: 100vh; display: flex; flex-direction: column } main { flex: 1; padding: 20px } footer { background: #222; padding: 20px }';
const CENTERED =
  'body { margin: 0; min-height: 100vh; display: flex; align-items: center; justify-content: center } .box { width: 600px; background: #eef; padding: 20px }';

const PAGES = [
  { name: 'a page of text', page: guide },
  { name: 'a narrow page', page: (added: string) => `<div class="column">${guide(added)}</div>`, style: COLUMN },
  { name: 'a dark page', page: guide, style: 'body { background: #123; color: #def }' },
  {
    name: 'a page with a footer at the bottom of the window',
    page: (added: string) => `<main>${guide(added)}</main><footer>The end</footer>`,
    style: FOOTER,
  },
  {
    name: 'a page with a sidebar',
    page: (added: string) =>
      `<div class="row"><aside><ul><li>One</li><li>Two</li></ul></aside><main>${guide(added)}</main></div>`,
    style: '.row { display: flex; gap: 40px } aside { flex: 0 0 200px }',
  },
  {
    name: 'a box in the middle of the window',
    page: (added: string) =>
      `<div class="box"><h1>Sign in</h1>${added}<p>${sentence(3, 40)}</p><p>${sentence(4, 40)}</p></div>`,
    style: CENTERED,
  },
];

const ADDED = [
  { size: 'a sentence', added: `<p>${sentence(8)}</p>` },
  { size: 'a paragraph', added: `<p>${sentence(8, 40)}</p>` },
];

const CASES = PAGES.flatMap((page) => ADDED.map((added) => ({ ...page, ...added })));

describe('a page no higher than the window', () => {
  it.each(CASES)('shows $size that was put in as one place: $name', async ({ page, style = '', added }) => {
    const pair = { style, before: page(''), after: page(added) };
    const { regions, moves, height } = await comparer.compare(pair, 'desktop');
    expect(regions).toMatchObject([{ baseline: null }]);
    expect(regions[0]?.height).toBe(height - 800);
    expect(moves.length).toBeGreaterThan(0);
  });

  it.each(CASES)('shows $size that was taken out as one place: $name', async ({ page, style = '', added }) => {
    const { regions } = await comparer.compare({ style, before: page(added), after: page('') }, 'desktop');
    expect(regions).toMatchObject([{ current: null }]);
  });

  it('shows an edit as two places where something else changed below', async () => {
    const after = guide(`<p>${sentence(8)}</p>`).replace('Saturday', 'Sunday');
    const { regions } = await comparer.compare({ before: guide(''), after }, 'desktop');
    expect(regions).toHaveLength(2);
  });

  it('shows a gap that grew, and nothing else, as a change', async () => {
    const pair = { before: guide(''), after: guide('<div style="height: 7px"></div>') };
    expect((await comparer.compare(pair, 'desktop')).differentPixels).toBeGreaterThan(0);
  });
});

describe('a screenshot of the window', () => {
  const added = `<p>${sentence(8)}</p>`;
  const long = (more: string) => `<h1>Guide</h1>${more}${paragraphs(30)}`;

  it('shows what was put in, and not what left it below', async () => {
    const { regions } = await comparer.compare({ before: long(''), after: long(added) }, 'desktop', {
      fullPage: false,
    });
    expect(regions).toMatchObject([{ baseline: null }]);
  });

  it('shows what was taken out, and what came into it below', async () => {
    const { regions } = await comparer.compare({ before: long(added), after: long('') }, 'desktop', {
      fullPage: false,
    });
    expect(regions).toMatchObject([{ current: null }, { baseline: null }]);
  });
});
