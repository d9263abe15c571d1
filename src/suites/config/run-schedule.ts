import { Cron } from 'croner';
import { orNull } from '../../errors.ts';
import { setting } from './config-field.ts';
import { term } from './config-kind.ts';

const NAMED: Readonly<Record<string, string>> = {
  hourly: '0 * * * *',
  daily: '0 0 * * *',
  weekly: '0 0 * * 1',
};

/**
 * Five fields and an optional time zone. The first field is a single minute, so that nothing runs more than once an
 * hour.
 */
const EXPRESSION = /^(\d{1,2}(?: [\w*,/#-]+){4})(?: ([A-Za-z][\w+/-]*))?$/;

/** Null: `off`, or not a schedule. */
function readSchedule(schedule: string): Cron | null {
  const [, pattern, timezone = 'UTC'] = EXPRESSION.exec(NAMED[schedule] ?? schedule) ?? [];
  return pattern === undefined ? null : orNull(() => new Cron(pattern, { timezone, paused: true }));
}

/** The first time after `after` at which a suite with this schedule runs. Null: it has no schedule. */
export function nextRun(schedule: string, after: Date): Date | null {
  // It throws for a time zone that this system does not know.
  return orNull(() => readSchedule(schedule)?.nextRun(after) ?? null);
}

/** When the suite runs by itself. Null: it does not. */
export function readNextRun(suite: { isActive: boolean; config: { schedule: string } }, now: Date): Date | null {
  return suite.isActive ? nextRun(suite.config.schedule, now) : null;
}

/** A schedule that is never due, such as February 30, is invalid. */
const isSchedule = (value: string) => value === 'off' || nextRun(value, new Date(0)) !== null;

const SCHEDULE_RULE = {
  maxLength: 100,
  rule: 'off, hourly, daily, weekly, or a cron expression that starts with a minute, with a time zone if it is not UTC',
  example: '30 6 * * 1-5 Europe/Berlin',
};

export const SCHEDULE = {
  schedule: setting(term(isSchedule, SCHEDULE_RULE), {
    section: 'pace',
    label: 'Schedule',
    help: 'When the suite runs by itself.',
    default: 'off',
  }),
};
