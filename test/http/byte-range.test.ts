import { describe, expect, it } from '@jest/globals';
import { isKnown, wantedPart } from '../../src/http/byte-range.ts';

describe('the part of an image that a request asks for', () => {
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=10-', 10, 99],
    ['bytes=-10', 90, 99],
    ['bytes=-1000', 0, 99],
    ['bytes=50-1000', 50, 99],
    ['bytes=99-99', 99, 99],
  ])('%s of 100 bytes is %i to %i', (header, start, end) => {
    expect(wantedPart(header, 100)).toEqual({ kind: 'part', range: { start, end } });
  });

  it.each(['bytes=100-', 'bytes=200-300', 'bytes=-0', 'bytes=99999999999999999999-'])('%s is not there', (header) => {
    expect(wantedPart(header, 100)).toEqual({ kind: 'unsatisfiable' });
  });

  it.each([undefined, '', 'bytes', 'bytes=-', 'bytes=a-b', 'bytes=5-4', 'bytes=0-1,3-4', 'lines=0-1'])(
    '%s is answered with the whole',
    (header) => {
      expect(wantedPart(header, 100)).toEqual({ kind: 'whole' });
    },
  );
});

describe('what the browser has already', () => {
  it.each(['"abc"', 'W/"abc"', '"x", "abc"', '*'])('%s matches', (header) => {
    expect(isKnown(header, '"abc"')).toBe(true);
  });

  it.each([undefined, '"abd"', 'abc'])('%s does not match', (header) => {
    expect(isKnown(header, '"abc"')).toBe(false);
  });
});
