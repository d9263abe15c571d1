import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { collectStyles } from '../../src/elements/element-styles.ts';
import { decodeElementMap, encodeElementMap } from '../../src/elements/encode-element-map.ts';
import { mapOf } from './element-map.ts';

const styles = collectStyles((name) => (name === 'opacity' ? '0.5' : `value of ${name}`));

const map = mapOf(
  { tag: 'html', box: [0, 0, 1280, 5000] },
  { parent: 0, id: 'a', classes: ['x', 'y'], attributes: { href: '/a "quoted"', 'data-n': '' }, styles },
  { parent: 1, role: 'link', name: 'Größe 🙂', text: 'Line', box: [0.5, 1, 2, 3.25], styles },
);

describe('an element map', () => {
  it('is the same after it was stored', async () => {
    expect(await decodeElementMap(await encodeElementMap(map))).toEqual(map);
    const empty = { elements: [], generated: [], fonts: {} };
    expect(await decodeElementMap(await encodeElementMap(empty))).toEqual(empty);
    const drawn = {
      ...map,
      generated: mapOf({ parent: 1, tag: '::before', picture: '' }).elements,
      fonts: { '/f': 'a' },
    };
    expect(await decodeElementMap(await encodeElementMap(drawn))).toEqual(drawn);
  });

  it('has the same bytes each time', async () => {
    const again = structuredClone(map);
    expect((await encodeElementMap(again)).equals(await encodeElementMap(map))).toBe(true);
  });

  it('takes some bytes for each element of a large page', async () => {
    const large = mapOf(
      ...Array.from({ length: 5000 }, (_, index) => ({
        parent: Math.floor((index - 1) / 8),
        classes: ['item', `kind-${index % 7}`],
        text: `Item ${index}`,
        box: [0, 20 * index, 300, 20] as [number, number, number, number],
      })),
    );
    expect((await encodeElementMap(large)).length).toBeLessThan(10 * 5000);
  });

  it('is refused when it is damaged', async () => {
    const encoded = await encodeElementMap(map);
    await expect(decodeElementMap(encoded.subarray(0, -9))).rejects.toThrow('The element map cannot be read');
    await expect(decodeElementMap(Buffer.from('PNG'))).rejects.toThrow('The element map cannot be read');
    await expect(decodeElementMap(brotliCompressSync('{"version":2}'))).rejects.toThrow(
      'The element map cannot be read',
    );
  });
});
