import { describe, expect, it } from '@jest/globals';
import { colorDifference, toLab } from '../../src/compare/color-difference.ts';

const lab = ([l = 0, a = 0, b = 0]: number[]) => ({ l, a, b });

describe('colorDifference', () => {
  // From the table of test data of Sharma, Wu and Dalal (2005).
  it.each([
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 3.1571, -77.2803], [50, 0, -82.7485], 2.8615],
    [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
    [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[50, 2.5, 0], [61, -5, 29], 22.8977],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    [[63.0109, -31.0961, -5.8663], [62.8187, -29.7946, -4.0864], 1.263],
    [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
    [[6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377],
    [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
  ])('is CIEDE2000: %j and %j', (one, other, expected) => {
    expect(colorDifference(lab(one), lab(other))).toBeCloseTo(expected, 4);
    expect(colorDifference(lab(other), lab(one))).toBeCloseTo(expected, 4);
  });

  it('is none between equal colors', () => {
    expect(colorDifference(toLab(0, 0, 0), toLab(0, 0, 0))).toBe(0);
    expect(colorDifference(toLab(12, 200, 99), toLab(12, 200, 99))).toBe(0);
  });
});

describe('toLab', () => {
  it.each([
    [
      [255, 255, 255],
      [100, 0, 0],
    ],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
    [
      [255, 0, 0],
      [53.24, 80.09, 67.2],
    ],
    [
      [0, 0, 255],
      [32.3, 79.19, -107.86],
    ],
  ])('gives %j as CIE Lab', ([red = 0, green = 0, blue = 0], [l = 0, a = 0, b = 0]) => {
    const found = toLab(red, green, blue);
    expect(found.l).toBeCloseTo(l, 1);
    expect(found.a).toBeCloseTo(a, 1);
    expect(found.b).toBeCloseTo(b, 1);
  });
});
