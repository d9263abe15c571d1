import { describe, expect, it } from '@jest/globals';
import type { MappedElement } from '../../src/elements/element-map.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import type { Area, ChangedArea } from '../../src/elements/page-change.ts';
import { mapOf } from './element-map.ts';

type Elements = Partial<MappedElement>[];

const area = (x: number, y: number, width: number, height: number): Area => ({ x, y, width, height });

/** A place that differs, and is the same in both images. */
function differing(box: Area, changes: Partial<ChangedArea> = {}): ChangedArea {
  return { ...box, baseline: box, current: box, faint: false, fingerprint: 'f1', ...changes };
}

/** A page of a bar with a link, and a list below. */
const page = (bar: number): Elements => [
  { tag: 'body', box: [0, 0, 800, 600] },
  { parent: 0, tag: 'header', classes: ['bar'], box: [0, 0, 800, bar] },
  { parent: 1, tag: 'a', classes: ['cta'], text: 'Buy', attributes: { href: '/buy' }, box: [700, 20, 80, 24] },
  { parent: 0, tag: 'main', box: [0, bar, 800, 500] },
  { parent: 3, tag: 'ul', classes: ['related'], box: [20, bar + 20, 300, 90] },
  { parent: 4, tag: 'li', text: 'One', box: [20, bar + 20, 300, 30] },
  { parent: 4, tag: 'li', text: 'Two', box: [20, bar + 50, 300, 30] },
  { parent: 3, tag: 'img', attributes: { src: '/map.png' }, box: [400, bar + 20, 200, 200] },
];

const edit = (elements: Elements, at: number, changes: Partial<MappedElement>): Elements =>
  elements.map((element, index) => (index === at ? { ...element, ...changes } : element));

const styled = (elements: Elements, at: number, styles: Partial<MappedElement['styles']>): Elements => {
  const base = mapOf({}).elements[0];
  if (base === undefined) throw new Error('no element');
  return edit(elements, at, { styles: { ...base.styles, ...styles } });
};

function changes(before: Elements, after: Elements, ...areas: ChangedArea[]) {
  return findChanges({ baseline: mapOf(...before), current: mapOf(...after) }, areas);
}

const short = (list: ReturnType<typeof changes>) =>
  list.map(({ kind, element, summary }) => `${kind} ${element}: ${summary}`);

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

  it('are pixels where elements are the same, known by what they show', () => {
    const [one] = changes(page(64), page(64), differing(area(30, 90, 10, 10)));
    const [other] = changes(page(72), page(72), differing(area(300, 400, 10, 10)));
    expect(one).toMatchObject({ kind: 'PIXELS', element: 'ul.related li', summary: 'pixels changed' });
    expect(other).toMatchObject({ kind: 'PIXELS', element: 'main', key: one?.key });
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
    const moved = (by: number, box: Area, said: Partial<ChangedArea> = {}) => {
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

  it('go by the fingerprint where there is no map, and are at most 100', () => {
    const areas = Array.from({ length: 200 }, (_, at) => differing(area(0, at, 9, 1), { fingerprint: `f${at % 150}` }));
    const found = findChanges({ baseline: null, current: mapOf(...page(64)) }, areas);
    expect(found).toHaveLength(100);
    expect(found[0]).toMatchObject({ kind: 'PIXELS', element: '', canvasBox: area(0, 0, 9, 151) });
    expect(found.at(-1)).toMatchObject({ summary: '51 other changes', canvasBox: area(0, 99, 9, 51) });
  });

  it('above 100 are one more, which is another one when one of them is, and faint when all of them are', () => {
    const last = (changes: Partial<ChangedArea>[]) => {
      const areas = Array.from({ length: 101 }, (_, at) => differing(area(0, at, 9, 1), { fingerprint: `f${at}` }));
      const said = [...areas.slice(0, 99), ...changes.map((change, at) => differing(area(0, 99 + at, 9, 1), change))];
      return findChanges({ baseline: null, current: null }, said).at(-1);
    };
    const [one, other] = [{ fingerprint: 'one' }, { fingerprint: 'other' }];
    expect(last([one])).toMatchObject({ summary: 'pixels changed', canvasBox: area(0, 99, 9, 1) });
    expect(last([one, other])).toMatchObject({ kind: 'PIXELS', element: '', summary: '2 other changes', faint: false });
    expect(last([one, { fingerprint: 'third' }])?.key).not.toBe(last([one, other])?.key);
    expect(last([{ ...one, faint: true }, other])?.faint).toBe(false);
    expect(
      last([
        { ...one, faint: true },
        { ...other, faint: true },
      ])?.faint,
    ).toBe(true);
  });

  it('with one key are one, which is faint when all of its places are', () => {
    const faintOnes = (...all: boolean[]) =>
      findChanges(
        { baseline: null, current: null },
        all.map((faint, at) => differing(area(0, at, 9, 1), { faint })),
      ).map(({ faint }) => faint);
    expect(faintOnes(true, true)).toEqual([true]);
    expect(faintOnes(true, false)).toEqual([false]);
    expect(faintOnes(false, true)).toEqual([false]);
  });

  it.each(['img', 'canvas', 'svg', 'video', 'iframe', 'embed', 'object', 'path', 'image'])(
    'are the content of an image where only pixels of <%s> differ',
    (tag) => {
      const pictured = edit(page(64), 7, { tag });
      expect(changes(pictured, pictured, differing(area(400, 84, 200, 200)))).toMatchObject([{ kind: 'IMAGE' }]);
    },
  );

  it('are the content of an image where the background is one', () => {
    const place = differing(area(20, 84, 300, 10));
    const kindWith = (image: string) => {
      const shown = styled(edit(page(64), 5, { tag: 'div' }), 5, { 'background-image': image });
      return changes(shown, shown, place).map(({ kind }) => kind);
    };
    expect(kindWith('url("/tile.png")')).toEqual(['IMAGE']);
    for (const image of ['', 'none']) expect(kindWith(image)).toEqual(['PIXELS']);
  });

  it('of images have one key for one address on any host, and another for another', () => {
    const keyWith = (src: string, fingerprint = 'f1') => {
      const shown = edit(page(64), 7, { attributes: { src } });
      return changes(shown, shown, differing(area(400, 84, 200, 200), { fingerprint }))[0]?.key;
    };
    const key = keyWith('/map.png');
    for (const host of ['https://a.example', 'HTTP://b.example:81', '//c.example']) {
      expect(keyWith(`${host}/map.png`, 'f2')).toBe(key);
    }
    for (const src of ['/other.png', '/map.png?at=https://a.example', 'a//map.png']) {
      expect(keyWith(src)).not.toBe(key);
    }
    expect(keyWith('/map.png?at=//a')).not.toBe(keyWith('/map.png?at=//b'));
  });

  it('are shown by the element, or by what differs where that is a small part of it', () => {
    const after = edit(page(64), 2, { text: 'Buy now' });
    const boxIn = (place: Area) => changes(page(64), after, differing(place))[0]?.currentBox;
    expect(boxIn(area(700, 20, 20, 24))).toEqual(area(700, 20, 80, 24));
    expect(boxIn(area(700, 20, 19, 24))).toEqual(area(700, 20, 19, 24));
  });
});

describe('styles that changed', () => {
  const bar = differing(area(0, 0, 800, 72));

  it('are one change with what they do to the size', () => {
    const after = styled(page(72), 1, { padding: '12px 0px', 'background-color': 'rgb(9, 105, 218)' });
    expect(changes(styled(page(64), 1, { padding: '8px 0px' }), after, bar)).toMatchObject([
      {
        kind: 'RESTYLED',
        element: 'header.bar',
        summary: 'background none → #0969da, padding 8px 0px → 12px 0px',
        before: 'background: none; padding: 8px 0px',
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
