import { describe, expect, it } from '@jest/globals';
import { nextRun } from '../../../src/suites/config/run-schedule.ts';
import { SuiteConfigInput } from '../../../src/suites/config/suite-config.ts';

const after = (schedule: string, at: string) => nextRun(schedule, new Date(at))?.toISOString() ?? null;

describe('a schedule', () => {
  it.each([
    ['hourly', '2026-05-05T10:00:00Z', '2026-05-05T11:00:00.000Z'],
    ['daily', '2026-05-05T10:15:00Z', '2026-05-06T00:00:00.000Z'],
    ['weekly', '2026-05-05T10:15:00Z', '2026-05-11T00:00:00.000Z'],
    ['30 6 * * 1-5 Europe/Berlin', '2026-05-08T10:00:00Z', '2026-05-11T04:30:00.000Z'],
    ['30 6 * * 1-5 Europe/Berlin', '2026-01-05T05:29:59Z', '2026-01-05T05:30:00.000Z'],
    // The hour that summer time skips.
    ['30 2 * * * Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00.000Z'],
    // The hour that winter time repeats is due once, unless every hour is.
    ['30 2 * * * Europe/Berlin', '2026-10-24T23:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['30 2 * * * Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
    ['0 * * * * Europe/Berlin', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00.000Z'],
  ])('%s after %s is due at %s', (schedule, at, due) => {
    expect(after(schedule, at)).toBe(due);
  });

  it.each(['off', '', 'monthly', '* * * * *', '*/5 * * * *', '0 0 30 2 *', '61 * * * *', '0 0 * * * Europe/Atlantis'])(
    '%j is never due',
    (schedule) => {
      expect(after(schedule, '2026-05-05T10:00:00Z')).toBeNull();
    },
  );

  it.each(['off', 'hourly', '5 4 * * sun', '0 0 1 1-12/3 * America/New_York'])('%j is a setting', (schedule) => {
    expect(SuiteConfigInput.safeParse({ schedule }).success).toBe(true);
  });

  it.each(['', 'often', '0 0 30 2 *', '* * * * *', '0 0 * * * Nowhere'])('%j is no setting', (schedule) => {
    expect(SuiteConfigInput.safeParse({ schedule }).success).toBe(false);
  });
});
