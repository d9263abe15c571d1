import { describe, expect, it } from '@jest/globals';
import { parseProcessor } from '../../../src/capture/browser/engine-parts.ts';

const flags = (list: string) => `processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu ${list}\nbugs\t\t: none\n`;

describe('the processor of an engine', () => {
  it('is told by the features that rasterizing uses', () => {
    expect(parseProcessor(flags('sse2 ssse3 fma avx avx2 sse4_1 vaes'), 'x64')).toBe('x64 ssse3 sse4_1 avx fma avx2');
    expect(parseProcessor('processor : 0\nFeatures : fp asimd crc32\n', 'arm64')).toBe('arm64 asimd');
  });

  it('has AVX-512 only with all that rasterizing needs of it', () => {
    const four = 'avx512f avx512cd avx512dq avx512bw';
    expect(parseProcessor(flags(four), 'x64')).toBe('x64');
    expect(parseProcessor(flags(`${four} avx512vl avx512_vnni`), 'x64')).toBe('x64 avx512');
  });

  it('is unknown where the system does not tell', () => {
    expect(parseProcessor('', 'arm64')).toBe('unknown');
  });
});
