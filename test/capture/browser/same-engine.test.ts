import { describe, expect, it } from '@jest/globals';
import { sameEngine } from '../../../src/capture/browser/engine-parts.ts';

const ENGINE = 'chromium-headless-shell 156.0.1; playwright 1.65.1; fonts 1a2b3c; cpu x64 avx2 fma';

describe('two engines are the same', () => {
  it.each([
    [ENGINE, ENGINE, true],
    [ENGINE, ENGINE.replace('156', '157'), false],
    [ENGINE, ENGINE.replace('headless-shell ', ''), false],
    [ENGINE, ENGINE.replace('1.65', '1.66'), false],
    [ENGINE, ENGINE.replace('1a2b3c', 'ffffff'), false],
    [ENGINE, ENGINE.replace(' avx2', ''), false],
    [ENGINE, ENGINE.replace('1a2b3c', 'unknown'), true],
  ])('%s and %s: %p', (one, other, same) => {
    expect(sameEngine(one, other)).toBe(same);
    expect(sameEngine(other, one)).toBe(same);
  });
});
