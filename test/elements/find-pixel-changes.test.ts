import { describe, expect, it } from '@jest/globals';
import type { MappedElement } from '../../src/elements/element-map.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import type { ChangedRegion, Region } from '../../src/elements/region.ts';
import { area, changes, differing, edit, page, styled, type Elements } from './changed-page.ts';
import { mapOf } from './element-map.ts';

describe('the changes of a page in which pixels differ', () => {
  it('are pixels where elements are the same, known by what they show', () => {
    const [one] = changes(page(64), page(64), differing(area(30, 90, 10, 10)));
    const [other] = changes(page(72), page(72), differing(area(300, 400, 10, 10)));
    expect(one).toMatchObject({ kind: 'PIXELS', element: 'ul.related li', summary: 'pixels changed' });
    expect(other).toMatchObject({ kind: 'PIXELS', element: 'main', key: one?.key });
  });

  it('are pixels where an element also moved, by itself or by its margin', () => {
    const moved = (elements: Elements) => edit(elements, 2, { box: [700, 26, 80, 24] });
    const own = { baseline: area(710, 24, 20, 10), current: area(710, 30, 20, 10) };
    const places = [differing(area(700, 20, 80, 6)), differing(area(710, 30, 20, 10), own)];
    const kinds = (before: Elements, after: Elements) => changes(before, after, ...places).map(({ kind }) => kind);
    expect(kinds(page(64), moved(page(64)))).toEqual(['MOVED', 'PIXELS']);
    const withStyle = (styles: Partial<MappedElement['styles']>) => styled(page(64), 2, { color: 'red', ...styles });
    const after = (styles: Partial<MappedElement['styles']>) => moved(withStyle(styles));
    expect(kinds(withStyle({ margin: '0px' }), after({ margin: '6px 0px' }))).toEqual(['RESTYLED', 'PIXELS']);
    expect(kinds(withStyle({ 'justify-content': 'start' }), after({ 'justify-content': 'end' }))).toEqual(['RESTYLED']);
    const byOne = edit(page(64), 2, { box: [700, 21, 80, 24] });
    expect(changes(page(64), byOne, differing(area(710, 22, 40, 20))).map(({ kind }) => kind)).toEqual(['MOVED']);
  });

  it('go by the fingerprint where there is no map, and are at most 100', () => {
    const areas = Array.from({ length: 200 }, (_, at) => differing(area(0, at, 9, 1), { fingerprint: `f${at % 150}` }));
    const found = findChanges({ baseline: null, current: mapOf(...page(64)) }, areas);
    expect(found).toHaveLength(100);
    expect(found[0]).toMatchObject({ kind: 'PIXELS', element: '', canvasBox: area(0, 0, 9, 151) });
    expect(found.at(-1)).toMatchObject({ summary: '51 other changes', canvasBox: area(0, 99, 9, 51) });
  });

  it('go by the fingerprint where only the baseline has a map', () => {
    const places = [differing(area(30, 90, 10, 10)), differing(area(700, 20, 10, 10), { fingerprint: 'f2' })];
    expect(findChanges({ baseline: mapOf(...page(64)), current: null }, places)).toMatchObject([
      { kind: 'PIXELS', element: '', baselineBox: area(30, 90, 10, 10) },
      { kind: 'PIXELS', element: '', baselineBox: area(700, 20, 10, 10) },
    ]);
  });

  it('above 100 are one more, which is another one when one of them is, and faint when all of them are', () => {
    const last = (changes: Partial<ChangedRegion>[]) => {
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

  it('of one image in another part of the page are another change', () => {
    const shown = edit(page(64), 2, { tag: 'img', attributes: { src: '/map.png' } });
    const places = [differing(area(700, 20, 80, 24)), differing(area(400, 84, 200, 200))];
    const found = changes(shown, shown, ...places);
    expect(found.map(({ element }) => element)).toEqual(['header img.cta', 'main img']);
    expect(found[0]?.key).not.toBe(found[1]?.key);
  });

  it('keep their keys from release to release: what was decided about them is stored with these', () => {
    const maps = { baseline: null, current: null };
    const [pixels] = findChanges(maps, [differing(area(0, 0, 9, 9))]);
    const [image] = changes(page(64), page(64), differing(area(400, 84, 200, 200)));
    const [bar] = changes(page(64), page(72), differing(area(0, 60, 800, 12)));
    expect([pixels, image, bar].map((change) => change?.key)).toEqual([
      'bb117f589f9f690aa48557730fbc5575',
      '0c266915e0c0f8fd07e98789cbe54019',
      'b03c5937e804790b8f77394a31b498a7',
    ]);
  });

  it('are shown by the element where they are beside it', () => {
    const after = edit(page(64), 2, { text: 'Buy now' });
    const [found] = changes(page(64), after, differing(area(780, 20, 2, 9)));
    expect(found).toMatchObject({ kind: 'TEXT', currentBox: area(700, 20, 80, 24) });
  });

  it('are shown by the element, or by what differs where that is a small part of it', () => {
    const after = edit(page(64), 2, { text: 'Buy now' });
    const boxIn = (place: Region) => changes(page(64), after, differing(place))[0]?.currentBox;
    expect(boxIn(area(700, 20, 20, 24))).toEqual(area(700, 20, 80, 24));
    expect(boxIn(area(700, 20, 19, 24))).toEqual(area(700, 20, 19, 24));
  });
});
