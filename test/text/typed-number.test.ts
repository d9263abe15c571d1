import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isWholeNumber, readNumber, typedNumber, writeNumber } from '../../src/text/typed-number.ts';

const NO_NUMBERS = [
  '',
  ' ',
  '1e1',
  '1E1',
  '0x10',
  '0b1',
  ' 10',
  '10 ',
  '1_000',
  '1,5',
  '+1',
  'Infinity',
  'NaN',
  '١٠',
  '1.',
];

describe('a number that is typed', () => {
  it.each([...NO_NUMBERS, '1.5', '-1', '1234567890123456'])('is no whole number as %j', (typed) => {
    expect(isWholeNumber(typed)).toBe(false);
    expect(typedNumber(0).safeParse(typed).success).toBe(false);
  });

  it('may have been read before', () => {
    expect(typedNumber(1, 20).parse(typedNumber(1, 20).parse('7'))).toBe(7);
    for (const wrong of [1.5, -1, 21, 1e21, Number.NaN]) {
      expect([wrong, typedNumber(1, 20).safeParse(wrong).success]).toEqual([wrong, false]);
    }
  });

  it.each([null, ['1'], undefined])('is a text, and not %j', (typed) => {
    expect(isWholeNumber(typed)).toBe(false);
    expect(typedNumber(0).safeParse(typed).success).toBe(false);
  });

  it('lies between its bounds', () => {
    const taken = ['0', '1', '01', '20', '21'].filter((typed) => typedNumber(1, 20).safeParse(typed).success);
    expect(taken).toEqual(['1', '01', '20']);
    expect(typedNumber(1, 20).parse('01')).toBe(1);
    expect(isWholeNumber('01')).toBe(true);
  });

  it.each(NO_NUMBERS)('is none with decimals either as %j', (typed) => {
    expect(readNumber(typed)).toBeNaN();
  });

  it.each([
    ['0', 0],
    ['.25', 0.25],
    ['-1.25', -1.25],
    ['1234567', 1_234_567],
  ])('may have decimals, as in %j', (typed, value) => {
    expect(readNumber(typed)).toBe(value);
  });

  it('is read as it is written', () => {
    expect(writeNumber(0.000_000_1)).toBe('0.0000001');
    expect(writeNumber(100)).toBe('100');
    const ofSettings = fc.oneof(fc.integer(), fc.double({ min: 1e-4, max: 1e6, noNaN: true }));
    fc.assert(fc.property(ofSettings, (value) => expect(readNumber(writeNumber(value))).toBe(value + 0)));
  });
});
