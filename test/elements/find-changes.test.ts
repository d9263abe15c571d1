import { describe, expect, it } from '@jest/globals';
import type { MappedElement } from '../../src/elements/element-map.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import type { ChangedRegion, Region } from '../../src/elements/region.ts';
import { area, changes, differing, edit, page, short, styled, type Elements } from './changed-page.ts';
import { mapOf } from './element-map.ts';

describe('the changes of a page', () => {
  it('are the cause, and not what moved down by it or grew with it', () => {
    const after = edit(page(72), 0, { box: [0, 0, 800, 608] });
    const found = changes(page(64), after, differing(area(0, 20, 800, 588)));
    expect(short(found)).toEqual(['RESIZED header.bar: 8 px taller']);
    expect(found[0]).toMatchObject({
      before: '800 × 64 px',
      after: '800 × 72 px',
      baselineBox: area(0, 0, 800, 64),
      currentBox: area(0, 0, 800, 72),
      canvasBox: area(0, 20, 800, 588),
    });
  });

  it('have the same key on another page, at another width, and at twice the pixels', () => {
    const wide = (bar: number): Elements =>
      [...page(bar).slice(0, 3), { parent: 0, tag: 'p', text: 'Other' }].map((element) => ({
        ...element,
        box: element.tag === 'header' ? [0, 0, 1200, bar] : (element.box ?? [0, bar, 1200, 40]),
      }));
    const doubled = (elements: Elements): Elements =>
      elements.map((element) => ({
        ...element,
        box: [
          2 * (element.box?.[0] ?? 0),
          2 * (element.box?.[1] ?? 0),
          2 * (element.box?.[2] ?? 0),
          2 * (element.box?.[3] ?? 0),
        ],
      }));
    const [one] = changes(page(64), page(72), differing(area(0, 60, 800, 12)));
    const [other] = changes(wide(64), wide(72), differing(area(0, 64, 1200, 8)));
    const maps = { baseline: mapOf(...doubled(page(64))), current: mapOf(...doubled(page(72))) };
    const [sharp] = findChanges(maps, [differing(area(0, 120, 1600, 24))], 2);
    expect(other).toMatchObject({ key: one?.key, kind: 'RESIZED' });
    expect(sharp).toMatchObject({ key: one?.key, summary: '8 px taller' });
  });

  it('have other keys when they are other changes', () => {
    const place = differing(area(0, 60, 800, 20));
    const keys = [72, 80].map((bar) => changes(page(64), page(bar), place)[0]?.key);
    expect(new Set(keys).size).toBe(2);
  });

  it('are words with both texts', () => {
    const after = edit(page(64), 2, { text: 'Buy now' });
    const [found] = changes(page(64), after, differing(area(700, 20, 80, 24)));
    expect(found).toMatchObject({ kind: 'TEXT', element: 'header a.cta', before: 'Buy', after: 'Buy now' });
    expect(found?.summary).toBe('text “Buy” → “Buy now”');
  });

  it('are words, shown where they differ, also where a script has no spaces', () => {
    const say = (word: string) =>
      edit(page(64), 2, { text: `${'日本語の文章'.repeat(20)}${word}${'続き'.repeat(40)}` });
    const [found] = changes(say('犬'), say('猫'), differing(area(700, 20, 80, 24)));
    expect(found?.summary).toMatch(/^text “….*文章犬続き.*…” → “….*文章猫続き.*…”$/);
  });

  it('are texts, addresses and styles of any length, shown where they differ', () => {
    const long = 'the same words '.repeat(40);
    const place = differing(area(700, 20, 80, 24));
    const say = (word: string) => edit(page(64), 2, { text: `${long}${word} at last` });
    const [words] = changes(say('one'), say('two'), place);
    expect([words?.before, words?.after]).toEqual(['…same words one at last', '…same words two at last']);
    const show = (word: string) =>
      edit(page(64), 7, { picture: word, attributes: { src: `/${'folder/'.repeat(80)}${word}.png` } });
    const [image] = changes(show('one'), show('two'), differing(area(400, 84, 200, 200)));
    expect([image?.before, image?.after]).toEqual([
      expect.stringMatching(/^….*\/one\.png$/),
      expect.stringMatching(/^….*\/two\.png$/),
    ]);
    const clip = (last: string) =>
      styled(page(64), 2, { color: 'red', 'clip-path': `polygon(${'1px 2px, '.repeat(80)}${last})` });
    const [style] = changes(clip('3px'), clip('4px'), place);
    expect(style?.summary).toMatch(/^clip-path ….*3px\) → ….*4px\)$/);
    expect(style).toMatchObject({ before: expect.stringContaining('3px'), after: expect.stringContaining('4px') });
  });

  it('are words, shown without half a character', () => {
    const say = (word: string) => edit(page(64), 2, { text: `x${'😀'.repeat(40)}${word}` });
    const [found] = changes(say('a'), say('b'), differing(area(700, 20, 80, 24)));
    expect(found?.summary).toMatch(/^text “…(?:😀)+a” → “…(?:😀)+b”$/u);
  });

  it('are words, without what they push along in their line', () => {
    const line = (text: string, x: number): Elements => [
      { tag: 'body', box: [0, 0, 800, 600] },
      { parent: 0, tag: 'p', text, box: [0, 0, 800, 24] },
      { parent: 1, tag: 'code', text: 'Vec', box: [x, 0, 60, 24] },
    ];
    const place = differing(area(0, 0, 300, 24));
    expect(short(changes(line('Some', 50), line('Some more', 90), place))).toEqual([
      'TEXT p: text “Some” → “Some more”',
    ]);
  });

  it('are left out when nothing of them shows', () => {
    const after = edit(edit(page(64), 2, { text: 'Buy now' }), 5, { text: 'First' });
    expect(short(changes(page(64), after, differing(area(20, 90, 60, 10))))).toEqual([
      'TEXT ul.related li: text “One” → “First”',
    ]);
    expect(changes(page(64), after)).toEqual([]);
  });

  it('are also what shows only in space that another change made', () => {
    const before = styled(page(64), 4, { margin: '0px' });
    const after = styled(edit(before, 4, { box: [20, 92, 300, 90] }), 4, { margin: '8px' });
    const said = edit(after, 2, { text: 'Buy now' });
    const places = [differing(area(700, 20, 80, 24))];
    const space = { ...differing(area(20, 84, 300, 8)), baseline: null };
    const maps = { baseline: mapOf(...before), current: mapOf(...said) };
    const words = 'TEXT header a.cta: text “Buy” → “Buy now”';
    expect(short(findChanges(maps, places))).toEqual([words]);
    expect(short(findChanges(maps, places, 1, [space]))).toEqual([words, 'RESTYLED ul.related: margin 0px → 8px']);
    const elsewhere = { ...differing(area(20, 500, 300, 8)), baseline: null };
    expect(short(findChanges(maps, places, 1, [elsewhere]))).toEqual([words]);
  });

  it('are items of a list, however many, as one change', () => {
    const after: Elements = [
      ...page(64),
      { parent: 4, tag: 'li', text: 'Three', box: [20, 144, 300, 30] },
      { parent: 4, tag: 'li', text: 'Four', box: [20, 174, 300, 30] },
    ];
    const found = changes(page(64), after, differing(area(20, 144, 300, 60), { baseline: null }));
    expect(found).toMatchObject([
      { kind: 'ADDED', element: 'ul.related', summary: '2 items added', after: 'Three Four', baselineBox: null },
    ]);
    const gone = changes(after, page(64), differing(area(20, 144, 300, 60), { current: null }));
    expect(short(gone)).toEqual(['REMOVED ul.related: 2 items removed']);
  });

  it('are an image with another source, wherever it comes from', () => {
    const place = differing(area(400, 84, 200, 200));
    const other = edit(page(64), 7, { attributes: { src: '/map-2.png' } });
    expect(changes(page(64), other, place)).toMatchObject([
      { kind: 'IMAGE', element: 'main img', summary: 'image replaced', before: '/map.png', after: '/map-2.png' },
    ]);
    const preview = edit(page(64), 7, { attributes: { src: 'https://preview.example/map.png' } });
    const [found] = changes(page(64), preview, place);
    expect(found).toMatchObject({ kind: 'IMAGE', summary: 'image content changed', before: null });
    expect(changes(page(64), page(64), place)[0]?.key).toBe(found?.key);
  });

  it('are pixels by themselves inside what only grew', () => {
    const after = edit(page(64), 3, { box: [0, 64, 800, 540] });
    const gap = differing(area(0, 564, 800, 40), { baseline: null });
    const inside = differing(area(420, 100, 50, 50), { fingerprint: 'f2' });
    expect(short(changes(page(64), after, inside, gap))).toEqual([
      'RESIZED main: 40 px taller',
      'IMAGE main img: image content changed',
    ]);
  });

  it('are not what is drawn otherwise because it moved', () => {
    const down = (by: number): Elements =>
      page(64).map((element, at) => {
        const [x, y, width, height] = element.box ?? [0, 0, 0, 0];
        return at === 0 ? element : { ...element, box: [x, y + by, width, height] };
      });
    const moved = (by: number, box: Region, said: Partial<ChangedRegion> = {}) => {
      const banner = { parent: 0, tag: 'div', classes: ['banner'], text: 'Sale', box: [0, 0, 800, by] } as const;
      const after = [...down(by), { ...banner, classes: ['banner'] } as Partial<MappedElement>];
      const aligned = differing({ ...box, y: box.y + Math.round(by) }, { baseline: box, ...said });
      return short(changes(page(64), after, differing(area(0, 0, 800, 20), { baseline: null }), aligned));
    };
    const item = area(20, 85, 60, 20);
    const picture = area(410, 94, 150, 150);
    expect(moved(20.4, item)).toEqual(['ADDED div.banner: added: “Sale”']);
    expect(moved(20, item, { faint: true })).toEqual(['ADDED div.banner: added: “Sale”']);
    expect(moved(20, area(20, 90, 60, 1))).toEqual(['ADDED div.banner: added: “Sale”']);
    expect(moved(20, item)).toEqual(['ADDED div.banner: added: “Sale”', 'PIXELS ul.related li: pixels changed']);
    expect(moved(20.4, picture)).toEqual(['ADDED div.banner: added: “Sale”', 'IMAGE main img: image content changed']);
  });

  it('are of one place that moved by itself', () => {
    const after = edit(page(64), 7, { box: [440, 84, 200, 200] });
    expect(short(changes(page(64), after, differing(area(400, 84, 240, 200))))).toEqual([
      'MOVED main img: moved 40 px to the right',
    ]);
  });

  it('are the column that grew, not the larger one that gave up its room', () => {
    const columns = (aside: number): Elements => [
      { tag: 'body', box: [0, 0, 800, 600] },
      { parent: 0, tag: 'main', box: [0, 0, 800 - aside, 600] },
      { parent: 1, tag: 'p', text: 'Words', box: [0, 0, 800 - aside, aside] },
      { parent: 0, tag: 'aside', box: [800 - aside, 0, aside, 600] },
    ];
    expect(short(changes(columns(180), columns(220), differing(area(0, 0, 800, 600))))).toEqual([
      'RESIZED aside: 40 px wider',
    ]);
  });

  it('are a picture of another size, not what made room for it', () => {
    const stretched = edit(page(64), 4, { box: [20, 84, 320, 70] });
    const grown = edit(edit(edit(stretched, 7, { box: [400, 84, 240, 240] }), 3, { box: [0, 64, 820, 540] }), 0, {
      box: [0, 0, 820, 640],
    });
    expect(short(changes(page(64), grown, differing(area(400, 84, 420, 556))))).toEqual([
      'RESIZED main img: 40 px taller, 40 px wider',
    ]);
  });

  it('are faint when all that they show is', () => {
    const after = edit(page(64), 2, { text: 'Buy now' });
    const faint = differing(area(700, 20, 30, 24), { faint: true });
    expect(changes(page(64), after, faint)).toMatchObject([{ faint: true }]);
    expect(changes(page(64), after, faint, differing(area(740, 20, 30, 24)))).toMatchObject([{ faint: false }]);
  });
});

describe('styles that changed', () => {
  const bar = differing(area(0, 0, 800, 72));

  it('are one change with what they do to the size', () => {
    const after = styled(page(72), 1, { padding: '12px 0px', 'background-color': 'rgb(9, 105, 218)' });
    expect(
      changes(styled(page(64), 1, { padding: '8px 0px', 'background-color': 'rgba(0, 0, 0, 0)' }), after, bar),
    ).toMatchObject([
      {
        kind: 'RESTYLED',
        element: 'header.bar',
        summary: 'background transparent → #0969da, padding 8px 0px → 12px 0px',
        before: 'background: transparent; padding: 8px 0px',
        after: 'background: #0969da; padding: 12px 0px',
      },
    ]);
  });

  it('are named where they begin, not where they are inherited', () => {
    const red = { color: 'rgb(170, 0, 0)' };
    const after = [0, 1, 2].reduce((elements, at) => styled(elements, at, red), page(64));
    expect(short(changes(page(64), after, bar))).toEqual([
      // The elements below were given black again.
      'RESTYLED body: color #000000 → #aa0000',
    ]);
  });

  it('are not those that follow from a font size above, or from the color', () => {
    const font = (size: number) => ({ 'font-size': `${size}px`, padding: `${size / 2}px`, color: 'rgb(0, 0, 0)' });
    const sized = (size: number) => styled(styled(page(64), 1, font(size)), 2, font(2 * size));
    expect(short(changes(sized(16), sized(20), bar))).toEqual(['RESTYLED header.bar: font-size 16px → 20px']);
    const framed = (color: string) => ({ color, 'border-width': '1px', 'border-color': color });
    const [before, after] = ['rgb(0, 0, 0)', 'rgb(0, 0, 255)'].map((color) => styled(page(64), 1, framed(color)));
    expect(short(changes(before ?? [], after ?? [], bar))).toEqual(['RESTYLED header.bar: color #000000 → #0000ff']);
  });

  it('are not automatic margins in a bar that got taller, nor what was stretched in it through a slot', () => {
    const slotted = (bar: number): Elements => {
      const base = page(bar);
      const inner: Elements = [
        { parent: 1, tag: 'slot', box: [0, 0, 0, 0] },
        { parent: 8, tag: 'h2', text: 'Title', box: [100, (bar - 30) / 2, 100, 30] },
        { parent: 8, tag: 'button', classes: ['menu'], box: [0, 0, 40, bar] },
      ];
      const margin = { margin: `${(bar - 30) / 2}px 20px` };
      return styled(styled([...base, ...inner], 9, margin), 1, { display: 'flex' });
    };
    expect(short(changes(slotted(64), slotted(75), bar))).toEqual(['RESIZED header.bar: 11 px taller']);
  });
});
