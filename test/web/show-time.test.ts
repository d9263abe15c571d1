import { describe, expect, it } from '@jest/globals';
import { duration, exactTime, shortTime, zoneOf } from '../../src/web/show-time.ts';

const at = new Date('2026-11-21T06:20:35Z');

describe('a time on a page', () => {
  it("is in the viewer's zone", () => {
    expect(shortTime(at, 'Europe/Berlin')).toBe('21 Nov 2026, 07:20');
    expect(exactTime(at, 'America/New_York')).toContain('01:20:35');
  });

  it('says so when it is in UTC', () => {
    expect(shortTime(at, 'UTC')).toBe('21 Nov 2026, 06:20 UTC');
  });

  it.each([null, '', 'Nowhere/Land', '<script>', '../../etc'])('is in UTC for the zone %j', (zone) => {
    expect(zoneOf(zone)).toBe('UTC');
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 s'],
    [59.6, '1 min'],
    [125, '2 min 5 s'],
    [3600, '1 h'],
    [90_061, '1 d 1 h'],
  ])('of %d seconds reads %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});
