import { describe, expect, it } from '@jest/globals';
import { short } from './changed-page.ts';
import { changesOf, drawing, groupsOf, replace, style, type Edit } from './shop-pages.ts';
import { pageTaker } from './take-pages.ts';

const taker = pageTaker();

describe('a change of every page is one group, over pages and viewports', () => {
  it.each<[string, Edit, string[]]>([
    ['a bar that got higher', style('header.bar { height: 72px }'), ['RESIZED header.bar: 8 px taller']],
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
      'the typeface of the page',
      style('body { font-family: serif }'),
      ['RESTYLED body: font-family sans-serif → serif'],
    ],
    [
      'the order of a list',
      replace('<li>One</li><li>Two</li>', '<li>Two</li><li>One</li>'),
      ['MOVED ul.related li: moved 24 px down'],
    ],
    ['an image', replace(drawing('teal'), drawing('navy')), ['IMAGE main img: image replaced']],
  ])('%s', async (_, edit, groups) => {
    expect(await groupsOf(taker, edit)).toEqual(groups);
  });

  it('stays one beside what else was edited on one page', async () => {
    const groups = await groupsOf(taker, (page) =>
      replace('About us', 'About our company')(page).replace('Delivery 4. The', 'Delivery 4. A'),
    );
    expect(groups).toEqual([
      'TEXT nav a: text “About us” → “About our company”',
      expect.stringMatching(/^TEXT main p: text “Delivery 4. The quick.*” → “Delivery 4. A quick.*”$/),
    ]);
  });

  it('is told from a second one that happens to be in the same bar', async () => {
    const groups = await groupsOf(taker, (page) =>
      style('header.bar { height: 72px } nav a.cta { background: #0969da }')(page),
    );
    expect(groups).toEqual(['RESIZED header.bar: 8 px taller', 'RESTYLED nav a.cta: background #1a7f37 → #0969da']);
  });
});

const row = (cells: (string | number)[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
const table = (...rows: (string | number)[][]) =>
  `<style>td { padding: 4px 12px }</style><table>${rows.map(row).join('')}</table>`;
const card = (name: string) => `<div class="card"><h2>${name}</h2><p>About ${name}</p></div>`;
const cards = (...names: string[]) =>
  `<style>.cards { display: grid; grid-template-columns: repeat(2, 1fr) }</style><div class="cards">${names.map(card).join('')}</div>`;

async function changesBetween(before: string, after: string): Promise<string[]> {
  const pageOf = (body: string) => `<!doctype html><html><body style="margin: 0">${body}</body></html>`;
  return short(await changesOf(taker, pageOf(before), pageOf(after), 800));
}

describe('one edit is one change', () => {
  const orders = [
    ['Anna', 120, 'Paid'],
    ['Ben', 300, 'Open'],
    ['Carla', 45, 'Late'],
  ];
  it.each<[string, string, string, string[]]>([
    [
      'a word that makes the column of a table wider',
      table(...orders),
      table(...orders).replace('Ben', 'Benjamin Constantin'),
      ['TEXT table td: text “Ben” → “Benjamin Constantin”'],
    ],
    [
      'a column that is gone',
      table(...orders),
      table(...orders.map(([name = '', total = '']) => [name, total])),
      ['REMOVED table: 3 cells removed'],
    ],
    [
      'a card of a grid that is gone, whose place others took',
      cards('One', 'Two', 'Three', 'Four'),
      cards('One', 'Three', 'Four'),
      ['REMOVED div.card: removed: “Two About Two”'],
    ],
    [
      'cards in another order',
      cards('One', 'Two', 'Three', 'Four'),
      cards('Two', 'One', 'Three', 'Four'),
      ['MOVED div.card: moved 400 px to the right'],
    ],
    [
      'a part that is hidden',
      '<style>.note { padding: 9px }</style><div class="note">See <b>below</b></div><p>Text</p>',
      '<style>.note { display: none }</style><div class="note">See <b>below</b></div><p>Text</p>',
      ['REMOVED div.note: removed: “See below”'],
    ],
    [
      'the style of a numbered list',
      '<ol><li>One</li><li>Two</li></ol>',
      '<style>ol { list-style: lower-alpha }</style><ol><li>One</li><li>Two</li></ol>',
      ['RESTYLED ol: list-style-type decimal → lower-alpha'],
    ],
    [
      'something typed into a field',
      '<form><input placeholder="Your name"></form>',
      '<form><input placeholder="Your name" value="Anna"></form>',
      ['TEXT form input: text “Your name” → “Anna”'],
    ],
  ])('%s', async (_, before, after, said) => {
    expect(await changesBetween(before, after)).toEqual(said);
  });

  it('and the numbers of all items below it are another one', async () => {
    const list = (...items: string[]) => `<ol>${items.map((item) => `<li>${item}</li>`).join('')}</ol>`;
    expect(await changesBetween(list('One', 'Two', 'Three', 'Four'), list('One', 'Three', 'Four'))).toEqual([
      'TEXT li::marker: numbers lower by 1',
      'REMOVED li: removed: “Two”',
    ]);
  });
});
