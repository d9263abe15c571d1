import { orNull } from '../errors.ts';
import { LOCALE } from '../text/format.ts';

/** How times are formatted. The page passes this to its script, which formats them again in the browser's time zone. */
export const TIME_FORMATS = {
  locale: LOCALE,
  short: { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' },
  exact: { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' },
} as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter takes longer than the rest of a row, so each one is cached. */
function format(zone: string, style: 'short' | 'exact'): Intl.DateTimeFormat {
  const key = `${zone} ${style}`;
  const kept = formats.get(key);
  if (kept !== undefined) return kept;
  const made = new Intl.DateTimeFormat(TIME_FORMATS.locale, { timeZone: zone, ...TIME_FORMATS[style] });
  formats.set(key, made);
  return made;
}

const DEFAULT_ZONE = 'UTC';

/** The IANA zone if this runtime knows it, otherwise UTC. */
export function validTimeZone(name: string | null): string {
  if (name === null || !/^[A-Za-z0-9_+/-]{1,64}$/.test(name)) return DEFAULT_ZONE;
  return orNull(() => format(name, 'short')) === null ? DEFAULT_ZONE : name;
}

/** Such as `Nov 21, 2026, 07:20`. In UTC the name of the zone is added, because it is not the viewer's own zone. */
export function shortTime(time: Date, zone: string): string {
  const text = format(zone, 'short').format(time);
  return zone === DEFAULT_ZONE ? `${text} UTC` : text;
}

/** The time with weekday, seconds and zone. */
export function exactTime(time: Date, zone: string): string {
  return format(zone, 'exact').format(time);
}
