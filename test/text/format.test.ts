import { describe, expect, it } from '@jest/globals';
import {
  firstLine,
  formatAge,
  formatCount,
  formatDuration,
  formatPercent,
  formatSeconds,
  plural,
  shortSha,
} from '../../src/text/format.ts';

it('the first line of a long text ends with a whole character', () => {
  expect(firstLine(`\n${'x'.repeat(499)}😀`)).toBe(`${'x'.repeat(499)}…`);
});

describe('a count', () => {
  it.each([
    [0, '0 pages'],
    [1, '1 page'],
    [12_000, '12,000 pages'],
  ])('of %d reads %s', (count, text) => {
    expect(formatCount(count, 'page')).toBe(text);
  });

  it('takes a plural of its own', () => {
    expect([formatCount(2, 'copy', 'copies'), plural(1, 'was', 'were'), plural(3, 'was', 'were')]).toEqual([
      '2 copies',
      'was',
      'were',
    ]);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0s', '0 seconds'],
    [59.6, '1m', '1 minute'],
    [125, '2m 5s', '2 minutes 5 seconds'],
    [3600, '1h', '1 hour'],
    [90_061, '1d 1h', '1 day 1 hour'],
  ])('of %d seconds reads %s, in a sentence %s', (seconds, short, long) => {
    expect([formatDuration(seconds), formatDuration(seconds, 'long')]).toEqual([short, long]);
  });
});

describe('an age', () => {
  const now = new Date('2030-01-02T12:00:00Z');

  it.each([
    [-5, 'just now'],
    [59 / 60, 'just now'],
    [59, '59 minutes ago'],
    [60, '1 hour ago'],
    [48 * 60, '2 days ago'],
  ])('of %d minutes reads %s', (minutes, text) => {
    const time = new Date(now.getTime() - minutes * 60_000);
    expect(formatAge(time, now)).toBe(text);
  });
});

it('a short time has one decimal at most', () => {
  expect([formatSeconds(0.5), formatSeconds(1), formatSeconds(4.25, 'narrow')]).toEqual([
    '0.5 seconds',
    '1 second',
    '4.3s',
  ]);
});

it.each([
  [0, '0%'],
  [0.0004, '< 0.01%'],
  [4.2, '4.20%'],
  [33.333, '33.3%'],
  [99.99, '> 99.9%'],
  [100, '100%'],
])('a difference of %d reads %s', (score, text) => {
  expect(formatPercent(score)).toBe(text);
});

it('the SHA of a commit is as short as on GitHub', () => {
  expect(shortSha('0123456789abcdef')).toBe('0123456');
});
