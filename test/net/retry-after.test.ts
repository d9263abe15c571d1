import { expect, it } from '@jest/globals';
import { parseRetryAfter } from '../../src/net/network.ts';

const now = Date.parse('2030-01-01T00:00:00Z');

it.each([
  ['7', 7000],
  [' 1.5 ', 1500],
  ['Tue, 01 Jan 2030 00:01:00 GMT', 60_000],
  ['Mon, 31 Dec 2029 00:00:00 GMT', 0],
  ['soon', null],
  ['', null],
  [undefined, null],
])('%j is %j ms', (header, milliseconds) => {
  expect(parseRetryAfter(header, now)).toBe(milliseconds);
});
