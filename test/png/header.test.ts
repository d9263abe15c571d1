import { describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';
import { isPng, PNG_HEADER_BYTES, readPngHeader } from '../../src/png/codec.ts';

const png = PNG.sync.write(new PNG({ width: 7, height: 300 }));

describe('readPngHeader', () => {
  it('reads the size from the first bytes alone', () => {
    expect(readPngHeader(png)).toEqual({ width: 7, height: 300 });
    expect(readPngHeader(png.subarray(0, PNG_HEADER_BYTES))).toEqual({ width: 7, height: 300 });
  });

  it('is null for what is cut off, or is no PNG', () => {
    expect(readPngHeader(png.subarray(0, PNG_HEADER_BYTES - 1))).toBeNull();
    expect(readPngHeader(Buffer.alloc(100))).toBeNull();
    const empty = Buffer.from(png);
    empty.writeUInt32BE(0, 16);
    expect(readPngHeader(empty)).toBeNull();
  });
});

describe('isPng', () => {
  it('goes by the signature', () => {
    expect(isPng(png)).toBe(true);
    expect(isPng(Buffer.from('GIF89a'))).toBe(false);
  });
});
