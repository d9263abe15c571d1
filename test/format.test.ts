import { describe, expect, it } from '@jest/globals';
import { formatAge, formatCount, formatDuration, plural, shortSha } from '../src/text/format.ts';

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
    [0, '0 s', '0 seconds'],
    [59.6, '1 min', '1 minute'],
    [125, '2 min 5 s', '2 minutes 5 seconds'],
    [3600, '1 h', '1 hour'],
    [90_061, '1 d 1 h', '1 day 1 hour'],
  ])('of %d seconds reads %s, in a sentence %s', (seconds, short, long) => {
    expect([formatDuration(seconds), formatDuration(seconds, 'long')]).toEqual([short, long]);
  });
});

describe('an age', () => {
  const now = new Date('2030-01-02T12:00:00Z');

  it.each([
    [-5, 'just now', 'just now'],
    [59 / 60, 'just now', 'just now'],
    [59, '59 min ago', '59 minutes ago'],
    [60, '1 h ago', '1 hour ago'],
    [48 * 60, '2 d ago', '2 days ago'],
  ])('of %d minutes reads %s, in a sentence %s', (minutes, short, long) => {
    const time = new Date(now.getTime() - minutes * 60_000);
    expect([formatAge(time, now), formatAge(time, now, 'long')]).toEqual([short, long]);
  });
});

it('the SHA of a commit is as short as on GitHub', () => {
  expect(shortSha('0123456789abcdef')).toBe('0123456');
});
