import { describe, expect, it } from '@jest/globals';
import type { MappedElement } from '../../src/elements/element-map.ts';
import { collectStyles, SET_NAMES } from '../../src/elements/element-styles.ts';
import { findChanges } from '../../src/elements/find-changes.ts';
import { hashDataUrl } from '../../src/elements/picture.ts';
import { area, differing, short } from './changed-page.ts';
import { mapOf } from './element-map.ts';

const DATA = 'data:image/png;base64,AAAA';

/** As maps were before they told of bytes, of what style sheets add, and of styles as they are set. */
const OLD = collectStyles((name) => {
  if (name === 'background-image') return `url("http://site.example/a.png"), url("${DATA}")`;
  if (name === 'margin') return '0px 100px';
  if (name === 'transform') return 'matrix(1, 0, 0, 1, -50, 0)';
  return SET_NAMES.some((each) => each === name) || name === 'z-index' ? '' : 'none';
});

const NEW = collectStyles((name) => {
  if (name === 'background-image') return `url("/a.png" 0123456789abcdef), url("data:image/png" ${hashDataUrl(DATA)})`;
  if (name === 'margin') return '0px auto';
  if (name === 'transform') return 'translate(-50%)';
  if (SET_NAMES.some((each) => each === name)) return 'auto';
  return 'none';
});

const image = (changes: Partial<MappedElement>): Partial<MappedElement>[] => [
  { tag: 'body', box: [0, 0, 800, 600] },
  { parent: 0, tag: 'img', attributes: { src: '/a.png' }, box: [0, 0, 100, 100], styles: OLD, ...changes },
];

const place = differing(area(0, 0, 800, 600));
const words = 'word '.repeat(300);

describe('an older map and one of today', () => {
  it('tell of no change that only today’s knows', () => {
    const before = mapOf(...image({ text: words.slice(0, 1000) }));
    const after = {
      ...mapOf(...image({ text: `${words.slice(0, 1000)}…0123`, picture: 'abcd', styles: NEW })),
      generated: mapOf({ parent: 1, tag: '::before', text: 'New' }).elements,
      fonts: { '/a.ttf': 'ab' },
    };
    expect(short(findChanges({ baseline: before, current: after }, [place]))).toEqual(['PIXELS body: pixels changed']);
    expect(short(findChanges({ baseline: after, current: before }, [place]))).toEqual(['PIXELS body: pixels changed']);
  });

  it('tell of what both know', () => {
    const before = mapOf(...image({}));
    const styles = { ...NEW, 'background-image': 'url("/b.png" 0123456789abcdef)' };
    const after = mapOf(...image({ picture: 'abcd', attributes: { src: '/b.png' }, styles }));
    expect(short(findChanges({ baseline: before, current: after }, [place]))).toEqual([
      'IMAGE img: image replaced',
      'RESTYLED img: background-image url("/a.png"), url("data:image/png") → url("/b.png")',
    ]);
  });
});

describe('words among other elements', () => {
  const found = (before: Partial<MappedElement>, after: Partial<MappedElement>) =>
    short(
      findChanges(
        {
          baseline: mapOf(...image({ tag: 'p', styles: NEW, ...before })),
          current: mapOf(...image({ tag: 'p', styles: NEW, ...after })),
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

describe('two maps of today', () => {
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
