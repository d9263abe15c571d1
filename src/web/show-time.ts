const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than the rest of a row, so each is kept. */
function format(zone: string, style: 'short' | 'exact'): Intl.DateTimeFormat {
  const key = `${zone} ${style}`;
  const kept = formats.get(key);
  if (kept !== undefined) return kept;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...(style === 'short' ? { dateStyle: 'medium', timeStyle: 'short' } : { dateStyle: 'full', timeStyle: 'long' }),
  });
  formats.set(key, made);
  return made;
}

const DEFAULT_ZONE = 'UTC';

/** An IANA zone that this runtime knows; else UTC. */
export function zoneOf(name: string | null): string {
  if (name === null || !/^[A-Za-z0-9_+/-]{1,64}$/.test(name)) return DEFAULT_ZONE;
  try {
    format(name, 'short');
    return name;
  } catch {
    return DEFAULT_ZONE;
  }
}

/** As `21 Nov 2026, 07:20`; in UTC, which is nobody's own, with its name. */
export function shortTime(time: Date, zone: string): string {
  const text = format(zone, 'short').format(time);
  return zone === DEFAULT_ZONE ? `${text} UTC` : text;
}

/** With weekday, seconds and zone. */
export function exactTime(time: Date, zone: string): string {
  return format(zone, 'exact').format(time);
}
