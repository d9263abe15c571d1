import { describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';
import { joinImages } from '../../src/compare/join-images.ts';

function part(width: number, height: number, first: number): Buffer {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at += 4) {
    png.data.set([(first + at) % 256, (first + at / 7) % 256, at % 251, 255], at);
  }
  return PNG.sync.write(png, { colorType: 2 });
}

const parts = [part(30, 20, 0), part(30, 20, 5), part(30, 1, 9)];

describe('parts of a screenshot', () => {
  it('become one image, row by row', async () => {
    const joined = PNG.sync.read(await joinImages(parts));
    expect([joined.width, joined.height]).toEqual([30, 41]);
    expect(joined.data.equals(Buffer.concat(parts.map((each) => PNG.sync.read(each).data)))).toBe(true);
  });

  it('give the same bytes each time', async () => {
    expect((await joinImages(parts)).equals(await joinImages(parts))).toBe(true);
  });

  it('are refused when one of them is damaged', async () => {
    const [first = Buffer.from('')] = parts;
    await expect(joinImages([first, first.subarray(0, -40)])).rejects.toThrow('');
  });
});
