import { describe, expect, it } from '@jest/globals';
import { matchRows } from '../../../src/compare/align/match-rows.ts';
import { hunksBetween } from '../../../src/compare/align/run.ts';
import { keysOf } from './letters.ts';

/** The runs in letters, with where they are in both: `abc 0=2`. */
const match = (baseline: string, current: string) =>
  matchRows(keysOf(baseline), keysOf(current)).map(({ a, b, length }) => `${baseline.slice(a, a + length)} ${a}=${b}`);

describe('the rows that two images have in common', () => {
  it('are all of them, or none', () => {
    expect(match('abcdef', 'abcdef')).toEqual(['abcdef 0=0']);
    expect(match('abcdef', 'uvwxyz')).toEqual([]);
    expect(match('', 'abc')).toEqual([]);
    expect(match('abc', '')).toEqual([]);
  });

  it('are found around what was put in, taken out or changed', () => {
    expect(match('abcdef', 'abcXYdef')).toEqual(['abc 0=0', 'def 3=5']);
    expect(match('abcXYdef', 'abcdef')).toEqual(['abc 0=0', 'def 5=3']);
    expect(match('abcdef', 'abXYef')).toEqual(['ab 0=0', 'ef 4=4']);
    expect(match('abcdef', 'Xabcdef')).toEqual(['abcdef 0=1']);
    expect(match('abcdef', 'abcdefX')).toEqual(['abcdef 0=0']);
    expect(match('UabcVdefW', 'XYabcdefZ')).toEqual(['abc 1=2', 'def 5=5']);
  });

  it('keep their order: as many as possible stay, and the others moved', () => {
    expect(match('abcdeXY', 'XYabcde')).toEqual(['abcde 0=2']);
    expect(match('XYabcde', 'abcdeXY')).toEqual(['abcde 2=0']);
    expect(match('PaXbcYdeQ', 'RXabYcdeS')).toEqual(['X 2=1', 'b 3=3', 'Y 5=4', 'de 6=6']);
  });

  it('begin with a row that is there once, and go on with any that are equal', () => {
    expect(match('Pa__b_Q', 'RSa__b_T')).toEqual(['a__b_ 1=2']);
    expect(match('PaxxQ', 'RSaxxxT')).toEqual(['axx 1=2']);
  });

  it('do not begin with a blank row', () => {
    expect(match('P_Q', 'RS_T')).toEqual([]);
    expect(match('PxQ', 'RSxT')).toEqual(['x 1=2']);
  });

  it.each([
    ['the baseline', (one: string, other: string) => match(one, other)],
    ['the current image', (one: string, other: string) => match(other, one)],
  ])('do not begin with a row that is more than 20 times in %s', (_, matched) => {
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `${String.fromCodePoint(200 + at)}-`);
    expect(matched(`P${lines(20).join('')}Q`, 'RS-T')).toHaveLength(1);
    expect(matched(`P${lines(21).join('')}Q`, 'RS-T')).toEqual([]);
  });

  it('are the longest where no row is there only once', () => {
    expect(match('PabQabbR', 'SabbTabU')).toEqual(['abb 4=1']);
    expect(match('PabbQabR', 'SabTabbU')).toEqual(['abb 1=4']);
    expect(match('PababQ', 'RabS')).toEqual(['ab 1=1']);
    expect(match('PaaaQ', 'RaaS')).toEqual(['aa 1=1']);
    expect(match('aaPaa', 'RaaaaS')).toEqual(['aa 0=1', 'aa 3=3']);
  });

  it('may be there only once between others', () => {
    expect(match('axbxc', 'aNxbxMc')).toEqual(['a 0=0', 'xbx 1=2', 'c 4=6']);
    expect(match('PxaxQxbR', 'SxTaxUbxV')).toEqual(['x 1=1', 'ax 2=3', 'b 6=6']);
  });

  it('are counted from the first row of what is compared', () => {
    expect(matchRows(keysOf('abcd', 100), keysOf('abXcd', 7))).toEqual([
      { a: 100, b: 7, length: 2 },
      { a: 102, b: 10, length: 2 },
    ]);
  });
});

describe('what lies between runs', () => {
  const whole = { a: 10, aEnd: 50, b: 20, bEnd: 70 };

  it('is all there is where there is no run', () => {
    expect(hunksBetween([], whole)).toEqual([whole]);
  });

  it('is before, between and after them, without what is empty in both', () => {
    const runs = [
      { a: 10, b: 20, length: 5 },
      { a: 15, b: 26, length: 5 },
      { a: 24, b: 31, length: 10 },
    ];
    expect(hunksBetween(runs, whole)).toEqual([
      { a: 15, aEnd: 15, b: 25, bEnd: 26 },
      { a: 20, aEnd: 24, b: 31, bEnd: 31 },
      { a: 34, aEnd: 50, b: 41, bEnd: 70 },
    ]);
    expect(hunksBetween([{ a: 12, b: 20, length: 38 }], { ...whole, bEnd: 58 })).toEqual([
      { a: 10, aEnd: 12, b: 20, bEnd: 20 },
    ]);
  });
});
