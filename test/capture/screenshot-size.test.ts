import { describe, expect, it } from '@jest/globals';
import { fitScreenshot, splitHeight } from '../../src/capture/screenshot-size.ts';

describe('what fits into a screenshot', () => {
  it.each([
    [{ width: 1280, height: 3000 }, 1, { width: 1280, height: 3000 }],
    [{ width: 1280, height: 100_000 }, 1, { width: 1280, height: 65_536 }],
    [{ width: 2048, height: 100_000 }, 1, { width: 2048, height: 65_536 }],
    [{ width: 9000, height: 100_000 }, 1, { width: 4096, height: 32_768 }],
    [{ width: 1280, height: 100_000 }, 2, { width: 1280, height: 26_214 }],
    [{ width: 4096, height: 16_384 }, 4, { width: 4096, height: 2048 }],
  ])('of %j at a scale of %d is %j', (page, factor, fits) => {
    expect(fitScreenshot(page, factor)).toEqual(fits);
  });
});

describe('the parts of a screenshot', () => {
  it('are one as long as a texture holds it', () => {
    expect(splitHeight({ width: 1280, height: 16_384 }, 1, false)).toEqual([{ y: 0, height: 16_384 }]);
    expect(splitHeight({ width: 1280, height: 8192 }, 2, false)).toEqual([{ y: 0, height: 8192 }]);
  });

  it.each([
    [{ width: 1280, height: 65_536 }, 1, 1],
    [{ width: 1281, height: 65_536 }, 1, 2],
    [{ width: 2560, height: 65_536 }, 1, 2],
    [{ width: 320, height: 32_768 }, 2, 1],
    [{ width: 4096, height: 20_000 }, 1, 1],
    [{ width: 4096, height: 32_768 }, 1, 2],
    [{ width: 4096, height: 8192 }, 2, 2],
  ])('are limited by their area in software: %j at a scale of %d has %d', (page, factor, count) => {
    expect(splitHeight(page, factor, true)).toHaveLength(count);
  });

  it.each([0.5, 1, 1.25, 1.5, 1.1, 2.625, 3, 4])('meet at whole pixels at a scale of %d', (factor) => {
    const parts = splitHeight({ width: 1280, height: 40_001 }, factor, false);
    let y = 0;
    for (const part of parts) {
      expect(part.y).toBe(y);
      expect(part.height * factor).toBeLessThanOrEqual(16_384);
      expect(Math.abs(part.y * factor - Math.round(part.y * factor))).toBeLessThan(1e-6);
      y += part.height;
    }
    expect(y).toBe(40_001);
  });
});
