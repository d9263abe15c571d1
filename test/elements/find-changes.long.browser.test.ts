import { describe, expect, it } from '@jest/globals';
import { groupsOf, replace, style, type Edit } from './shop-pages.ts';
import { pageTaker } from './take-pages.ts';

const taker = pageTaker();

describe('a change of every page is one group, over pages and viewports', () => {
  it.each<[string, Edit, string[]]>([
    [
      'a bar with more padding',
      style('header.bar { height: auto; padding: 32px 24px }'),
      ['RESTYLED header.bar: padding 0px 24px → 32px 24px, height 64px → auto'],
    ],
    [
      'a banner at the top',
      replace('<header', '<div class="banner">Sale!</div><header'),
      ['ADDED div.banner: added: “Sale!”'],
    ],
    ['the part of a page', style('.card { padding: 24px }'), ['RESTYLED div.card: padding 16px → 24px']],
    ['headings', style('h2 { color: #a00 }'), ['RESTYLED h2: color #333333 → #aa0000']],
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
    ['a border', style('.card { border: 2px solid #ccc }'), ['RESTYLED div.card: border-width 1px → 2px']],
    ['less room between paragraphs', style('main p { margin: 8px 0 }'), ['RESTYLED p: margin 16px 0px → 8px 0px']],
    [
      'words on the button that make it longer',
      replace('Buy now', 'Buy now and save'),
      ['TEXT nav a.cta: text “Buy now” → “Buy now and save”'],
    ],
    ['the font of the page', style('body { font-size: 17px }'), ['RESTYLED body: font-size 16px → 17px']],
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
    expect(await groupsOf(taker, edit)).toEqual(groups);
  });
});
