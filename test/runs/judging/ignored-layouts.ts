import { paragraphs, sentence, VIEWPORT_NAMES } from './compare-pages.ts';

/** A part of a page that shows something else each time, in so many lines. */
export const news = (lines: number) =>
  `<div class="news">${Array.from({ length: lines }, (_, at) => sentence(lines * 20 + at, 6)).join('<br>')}</div>`;

export const NEWS = '.news { background: #fe9 }';

export type Layout = {
  name: string;
  page: (lines: number) => string;
  style?: string;
  lines?: [number, number];
  cut?: true;
};

const three = (lines: number) =>
  `<div class="row"><div>${sentence(1, 30)}</div><div><p>${sentence(2)}</p>${news(lines)}</div><div>${sentence(3, 50)}</div></div>${paragraphs(4)}`;

const table = (lines: number) =>
  `<table>${[0, 1, 2, 3, 4].map((row) => `<tr><td>Row ${row}</td><td>${row === 2 ? news(lines) : sentence(row, 5)}</td><td>${sentence(row + 9, 3)}</td></tr>`).join('')}</table>${paragraphs(6)}`;

const card =
  '.card { border: 1px solid #888; border-radius: 6px; padding: .7em; margin: 1.13em 0; background: #f6f6ff }';

const LAYOUTS: Layout[] = [
  { name: 'between paragraphs', page: (lines) => `${paragraphs(3)}${news(lines)}${paragraphs(12, 9)}` },
  {
    name: 'with margins, a shadow and an outline',
    page: (lines) => `${paragraphs(3)}${news(lines)}${paragraphs(9, 9)}`,
    style: '.news { margin: 24px; border-radius: 8px; box-shadow: 0 2px 12px #0006; outline: 2px solid red }',
  },
  {
    name: 'of fractions of a pixel, above cards',
    page: (lines) =>
      `${paragraphs(1)}${news(lines)}<div class="card">${paragraphs(2, 5)}</div><hr><div class="card">${paragraphs(2, 8)}</div>${paragraphs(3, 20)}`,
    style: `.news { font-size: 15.3px; line-height: 1.47; padding: .33em 1em } ${card}`,
  },
  {
    name: 'inside a card',
    page: (lines) => `${paragraphs(2)}<div class="card"><b>News</b>${news(lines)}<p>More</p></div>${paragraphs(8, 9)}`,
    style: card,
  },
  {
    name: 'in a narrow column in the middle',
    page: (lines) => `<main>${paragraphs(1)}${news(lines)}${paragraphs(8, 9)}</main>`,
    style: 'main { max-width: 600px; margin: auto }',
  },
  {
    name: 'in the shorter column',
    page: (lines) =>
      `<div class="row"><aside>${news(lines)}<p>Below the news</p></aside><main>${paragraphs(9)}</main></div><footer>The end</footer>`,
    style: '.row { display: flex; gap: 40px } aside { flex: 0 0 30% }',
  },
  {
    name: 'in the longer column',
    page: (lines) =>
      `<div class="row"><aside>${paragraphs(9)}${news(lines)}</aside><main>${paragraphs(2, 20)}</main></div><footer>The end</footer>${paragraphs(3, 30)}`,
    style: '.row { display: flex; gap: 40px } aside { flex: 0 0 60% }',
  },
  {
    name: 'in a column between two others',
    page: three,
    style:
      '.row { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 24px } .row > div { border: 1px solid; padding: 9px }',
  },
  {
    name: 'in a cell of a table',
    page: table,
    style:
      'table { width: 100%; border-collapse: collapse; table-layout: fixed } td { border: 1px solid #999; padding: 6px }',
  },
  {
    name: 'in an item of a list',
    page: (lines) =>
      `<ol>${[0, 1, 2, 3, 4, 5].map((item) => `<li>Item ${item} ${item === 2 ? news(lines) : ''}</li>`).join('')}</ol>${paragraphs(8)}`,
    style: 'li:nth-child(odd) { background: #eef }',
  },
  {
    name: 'twice, one taller and one shorter',
    page: (lines) => `${paragraphs(2)}${news(lines)}<p>Between</p>${news(6 - lines)}${paragraphs(6, 9)}`,
  },
  {
    name: 'twice, far from each other',
    page: (lines) => `${paragraphs(2)}${news(lines)}${paragraphs(4, 5)}${news(lines + 2)}${paragraphs(6, 9)}`,
  },
  {
    name: 'at the start of the page',
    page: (lines) => `${news(lines)}${paragraphs(12)}`,
    style: 'body { margin: 0 20px }',
  },
  { name: 'at the end of the page', page: (lines) => `${paragraphs(12)}${news(lines)}` },
  {
    name: 'at the very end of the page, in a dark footer',
    page: (lines) => `${paragraphs(12)}<footer>${news(lines)}</footer>`,
    style: 'body { margin: 0 } footer { padding: 24px; background: #222 }',
  },
  {
    name: 'at the very end of the page, narrower than it',
    page: (lines) => `${paragraphs(15)}${news(lines)}`,
    style: 'body { margin-bottom: 0 } .news { margin: 0 9% }',
  },
  { name: 'on a page no higher than the window', page: (lines) => `${paragraphs(1)}${news(lines)}${paragraphs(2, 9)}` },
  {
    name: 'so that the page leaves the window',
    page: (lines) => `${paragraphs(1)}${news(lines)}${paragraphs(2, 9)}`,
    lines: [2, 28],
  },
  {
    name: 'above a footer at the bottom of the window',
    page: (lines) => `<main>${paragraphs(1)}${news(lines)}<p>Text</p></main><footer>The end</footer>`,
    style:
      'body { margin: 0; min-height: 100vh; display: flex; flex-direction: column } main { flex: 1 } footer { background: #222; padding: 20px }',
  },
  {
    name: 'in the middle of the window',
    page: (lines) => `<div class="box"><h1>Sign in</h1>${news(lines)}<p>${sentence(3)}</p></div>`,
    style:
      'body { margin: 0; min-height: 100vh; display: flex; align-items: center; justify-content: center } .box { width: 320px; background: #eef; padding: 20px }',
  },
  {
    name: 'in a part of fixed height',
    page: (lines) => `${paragraphs(1)}<section>${news(lines)}<p>Below</p></section>${paragraphs(9, 9)}`,
    style: 'section { min-height: 260px; border: 1px solid }',
  },
  {
    name: 'that comes and goes',
    page: (lines) => `${paragraphs(3)}${lines === 0 ? '' : news(lines)}${paragraphs(9, 9)}`,
    style: '.news { margin: 20px 0 }',
    lines: [0, 3],
  },
  {
    name: 'that comes and goes, between gaps of a grid',
    page: (lines) => `<main>${paragraphs(3)}${lines === 0 ? '' : news(lines)}${paragraphs(9, 9)}</main>`,
    style: 'main { display: grid; gap: 9px }',
    lines: [3, 0],
  },
  {
    name: 'with something in it that reaches beyond it',
    page: (lines) =>
      `${paragraphs(3)}<div class="news">${sentence(lines, lines * 25)}<i style="width: ${lines * 12}px"></i></div>${paragraphs(9, 9)}`,
    style:
      '.news { position: relative } i { position: absolute; top: -10px; right: -10px; height: 30px; background: red }',
  },
  {
    name: 'in a screenshot of the window',
    page: (lines) => `${paragraphs(1)}${news(lines)}${paragraphs(30, 9)}`,
    cut: true,
  },
];

export const LAYOUT_CASES = LAYOUTS.flatMap((layout) => VIEWPORT_NAMES.map((viewport) => ({ ...layout, viewport })));
