import { describe, expect, it } from '@jest/globals';
import type { MappedElement } from '../../src/elements/element-map.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import { area, differing, short } from './changed-page.ts';
import { mapOf } from './element-map.ts';

const image = (changes: Partial<MappedElement>): Partial<MappedElement>[] => [
  { tag: 'body', box: [0, 0, 800, 600] },
  { parent: 0, tag: 'img', attributes: { src: '/a.png' }, box: [0, 0, 100, 100], ...changes },
];

const place = differing(area(0, 0, 800, 600));

describe('words among other elements', () => {
  const found = (before: Partial<MappedElement>, after: Partial<MappedElement>) =>
    short(
      findChanges(
        {
          baseline: mapOf(...image({ tag: 'p', ...before })),
          current: mapOf(...image({ tag: 'p', ...after })),
        },
        [place],
      ),
    );

  it('are a change where they flow otherwise', () => {
    expect(found({ text: 'a b', picture: 'lines 1' }, { text: 'a b', picture: 'lines 2' })).toEqual([
      'TEXT p: white space changed',
    ]);
    expect(found({ text: 'a b', picture: 'parts 1' }, { text: 'a b', picture: 'parts 2' })).toEqual([
      'TEXT p: white space changed',
    ]);
  });

  it('are none of their own where other words or elements came', () => {
    const [text] = found({ text: 'a b', picture: 'lines 1' }, { text: 'a bc', picture: 'lines 2' });
    expect(text).toBe('TEXT p: text “a b” → “a bc”');
    expect(found({ text: 'a b', picture: '' }, { text: 'a b', picture: 'parts 2' })).toEqual([
      'PIXELS body: pixels changed',
    ]);
  });
});

describe('two maps', () => {
  const found = (before: Partial<MappedElement>, after: Partial<MappedElement>) =>
    short(findChanges({ baseline: mapOf(...image(before)), current: mapOf(...image(after)) }, [place]));

  it('know an image by its bytes', () => {
    const renamed = { picture: 'abcd', attributes: { src: '/renamed.png' } };
    expect(found({ picture: 'abcd' }, renamed)).toEqual(['PIXELS body: pixels changed']);
    expect(found({ picture: 'abcd' }, { picture: 'ef01' })).toEqual(['IMAGE img: image content changed']);
    expect(found({ picture: 'abcd' }, { picture: 'failed Logo' })).toEqual(['IMAGE img: image no longer loads']);
  });

  it('know a font file by its bytes', () => {
    const maps = (baseline: Record<string, string>, current: Record<string, string>) => ({
      baseline: { ...mapOf(...image({})), fonts: baseline },
      current: { ...mapOf(...image({})), fonts: current },
    });
    const fonts = (...both: Parameters<typeof maps>) => short(findChanges(maps(...both), [place]));
    expect(fonts({ '/i.ttf': 'a' }, { '/i.ttf': 'b' })).toEqual(['RESTYLED body: font file /i.ttf changed']);
    expect(fonts({ '/i-1.ttf': 'a' }, { '/i-2.ttf': 'b' })).toEqual(['RESTYLED body: font file /i-2.ttf changed']);
    expect(fonts({ '/i-1.ttf': 'a' }, { '/i-2.ttf': 'a', '/b.ttf': 'b' })).toEqual(['PIXELS body: pixels changed']);
  });
});
