import { describe, expect, it } from '@jest/globals';
import { exactTime, shortTime, validTimeZone } from '../../src/web/show-time.ts';

const at = new Date('2026-11-21T06:20:35Z');

describe('a time on a page', () => {
  it("is in the viewer's zone", () => {
    expect(shortTime(at, 'Europe/Berlin')).toBe('Nov 21, 2026, 07:20');
    expect(exactTime(at, 'America/New_York')).toContain('01:20:35');
  });

  it('says so when it is in UTC', () => {
    expect(shortTime(at, 'UTC')).toBe('Nov 21, 2026, 06:20 UTC');
  });

  it.each([null, '', 'Nowhere/Land', '<script>', '../../etc'])('is in UTC for the zone %j', (zone) => {
    expect(validTimeZone(zone)).toBe('UTC');
  });
});
