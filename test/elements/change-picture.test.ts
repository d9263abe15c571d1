import { describe, expect, it } from '@jest/globals';
import type { MappedElement } from '../../src/elements/element-map.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import { area, changes, differing, edit, page, styled, type Elements } from './changed-page.ts';

const banner: Partial<MappedElement> = {
  parent: 0,
  tag: 'div',
  classes: ['banner'],
  text: 'Sale',
  box: [0, 0, 800, 40],
};

/** A page on which a banner was added, with everything else 40 px further down. */
const withBanner = (): Elements => [
  ...page(64).map((element, at): Partial<MappedElement> => {
    const [x, y, width, height] = element.box ?? [0, 0, 0, 0];
    return at === 0 ? element : { ...element, box: [x, y + 40.4, width, height] };
  }),
  banner,
];

const added = (picture: string) => differing(area(0, 0, 800, 40), { baseline: null, picture });
const only = <T>(list: T[]): T => {
  const [first] = list;
  if (first === undefined || list.length > 1) throw new Error(`${list.length} instead of one`);
  return first;
};

describe('the picture of a change', () => {
  it('is what differs in its own place', () => {
    const [one, other] = [changes(page(64), withBanner(), added('p1')), changes(page(64), withBanner(), added('p2'))];
    expect(only(one).key).toBe(only(other).key);
    expect(only(one).picture).not.toBe(only(other).picture);
  });

  it('is not what it only moved down, nor is that around what it shows', () => {
    const moved = differing(area(20, 140, 300, 20), { baseline: area(20, 100, 300, 20), picture: 'anew' });
    const [alone, above] = [
      only(changes(page(64), withBanner(), added('p1'))),
      only(changes(page(64), withBanner(), added('p1'), moved)),
    ];
    expect(above.picture).toBe(alone.picture);
    expect(above.shownBox).toEqual(area(0, 0, 800, 40));
    expect(above.canvasBox).toEqual(area(0, 0, 800, 160));
  });

  it('is the same in another row, and another one where its parts are further apart sideways', () => {
    const barIn = (color: string) => styled(page(64), 1, { 'background-color': color });
    const at = (y: number, x: number) =>
      only(
        changes(
          barIn('#fff'),
          barIn('#f00'),
          differing(area(10, y, 40, 10), { picture: 'logo' }),
          differing(area(x, y + 20, 40, 10), { picture: 'link' }),
        ),
      ).picture;
    expect(at(24, 300)).toBe(at(4, 300));
    expect(at(24, 300)).not.toBe(at(24, 360));
  });

  it('of several places is what any of them shows, however often and in any order', () => {
    const after = edit(edit(page(64), 5, { text: 'Other' }), 6, { text: 'Other' });
    const before = edit(page(64), 6, { text: 'One' });
    const shown = (...pictures: string[]) =>
      only(
        changes(
          before,
          after,
          ...pictures.map((picture, at) => differing(area(20, 86 + 30 * at, 60, 20), { picture })),
        ),
      );
    expect(shown('a', 'b').picture).toBe(shown('b', 'a').picture);
    expect(shown('a', 'a').picture).not.toBe(shown('a', 'b').picture);
    expect(shown('a', 'b').shownBox).toEqual(area(20, 86, 60, 50));
  });

  it('of places that look different is shown with all of them, not only with the first', () => {
    const image = edit(page(64), 7, { attributes: { src: '/map.png' } });
    const placesOf = (...pictures: string[]) => {
      const areas = pictures.map((picture, at) => differing(area(400 + 50 * at, 90, 20, 20), { picture }));
      const { baselineBox, currentBox } = only(changes(image, image, ...areas));
      return [baselineBox, currentBox];
    };
    const [first, all] = [area(400, 90, 20, 20), area(400, 90, 70, 20)];
    expect(placesOf('a', 'a')).toEqual([first, first]);
    expect(placesOf('a', 'b')).toEqual([all, all]);
    expect(placesOf('a', 'a', 'b')).toEqual([area(400, 90, 120, 20), area(400, 90, 120, 20)]);
  });

  it('of all that are too many is another one where one of them shows something else, and shows all of them', () => {
    const rest = (last: string) =>
      findChanges(
        { baseline: null, current: null },
        Array.from({ length: 120 }, (_, at) =>
          differing(area(at, 4 * at, 9, 1), { fingerprint: `f${at}`, picture: at === 119 ? last : 'p' }),
        ),
      ).at(-1);
    expect(rest('p')?.key).toBe(rest('q')?.key);
    expect(rest('p')?.picture).not.toBe(rest('q')?.picture);
    expect(rest('p')?.currentBox).toEqual(area(99, 396, 29, 81));
  });
});
