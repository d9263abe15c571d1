/** A change of the quiet page: CSS that is added, or words that are replaced. */
export type SeededChange = {
  name: string;
  css?: string;
  from?: string;
  to?: string;
  /** Whether a person would hardly see it. Left out where that is open. */
  faint?: boolean;
};

const styled = (name: string, css: string, faint?: boolean): SeededChange =>
  faint === undefined ? { name, css } : { name, css, faint };
const replaced = (name: string, from: string, to: string): SeededChange => ({ name, from, to, faint: false });

export const SEEDED_CHANGES: SeededChange[] = [
  styled('a background from #fff to #f8f8f8', '.section { background: #f8f8f8 }', true),
  styled('row stripes a shade paler', 'tr:nth-child(even) { background: #fcfcfc }', true),
  styled('text from #333 to #444', '.text { color: #444 }', false),
  styled('text from #333 to #353535', '.text { color: #353535 }', true),
  styled('opacity 0.98', '.card { opacity: 0.98 }', true),
  styled('opacity 0.9', '.card { opacity: 0.9 }', false),
  styled('a rule from #ccc to #ddd', '.rule { border-color: #ddd }', false),
  styled('a border from #ddd to #ccc', '.card { border-color: #ccc }', false),
  styled('the shade of a button', '.button { background: #1f883d }'),
  { name: 'a photo 3 levels brighter', from: '/photo.png', to: '/photo-3.png', faint: true },
  { name: 'a photo 8 levels brighter', from: '/photo.png', to: '/photo-8.png' },
  styled('a soft shadow', '.card { box-shadow: 0 2px 8px rgb(0 0 0 / 0.1) }', false),
  styled('a shadow under a button', '.button { box-shadow: 0 1px 1px rgb(0 0 0 / 0.2) }', false),
  styled('pale boxes that changed places', '.box.over { z-index: -1 }'),
  styled('the color of a placeholder', '.field::placeholder { color: #8a8a8a }', false),
  styled('a filled corner from 4 to 6 px', '.button { border-radius: 6px }', false),
  styled('an outlined corner from 4 to 6 px', '.card { border-radius: 6px }', false),
  styled('letters 0.1 px apart', '.text { letter-spacing: 0.1px }', false),
  styled('words 1 px apart', '.meta { word-spacing: 1px }', false),
  styled('a title in normal weight', '.title { font-weight: 400 }', false),
  styled('text half a pixel larger', '.text { font-size: 16.5px }', false),
  styled('lines a little farther apart', '.text { line-height: 1.54 }', false),
  styled('padding 1 px wider', '.card { padding: 9px }', false),
  styled('a margin 1 px higher', '.banner { margin-top: 17px }', false),
  styled('an icon 1 px to the right', '.icon { position: relative; left: 1px }', false),
  styled('an icon a shade darker', '.icon circle { fill: #838383 }'),
  styled('a link without its line', '.link { text-decoration: none }', false),
  styled('a line 1 px lower under a link', '.link { text-underline-offset: 3px }', false),
  styled('a link in another blue', '.link { color: #0550ae }', false),
  styled('a gradient that ends sooner', '.banner { background: linear-gradient(90deg, #ddf4ff, #fff 80%) }'),
  styled('a gradient turned by 3°', '.banner { background: linear-gradient(93deg, #ddf4ff, #fff) }', true),
  styled('a rule twice as thick', '.rule { border-top-width: 2px }', false),
  styled('a badge 1 px larger', '.badge { width: 7px; height: 7px }', false),
  styled('a badge that is gone', '.badge { visibility: hidden }', false),
  styled('hollow bullets', '.list { list-style: circle }', false),
  styled('numbers aligned to the right', '.number { text-align: right }', false),
  styled('a line that is no longer cut', '.clip { text-overflow: clip }', false),
  styled('halves that are 51 to 49', '.halves div { flex-basis: 49% } .halves .right { flex-grow: 1 }', false),
  styled('another mark after a link', ".next::after { content: '\\00bb' }", false),
  styled('a button turned by half a degree', '.button { transform: rotate(0.5deg) }', false),
  replaced('a digit', '1,234', '1,235'),
  replaced('a comma', 'nine, and', 'nine and'),
  replaced('a capital', 'Saturday', 'saturday'),
  replaced('a box that is ticked', 'class="check"', 'class="check" checked'),
  replaced('another choice', 'class="other"', 'class="other" selected'),
];
