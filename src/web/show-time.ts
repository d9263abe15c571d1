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

const UNITS: [name: string, seconds: number][] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** Two units at most, as `2 min 5 s`. */
export function duration(seconds: number): string {
  let rest = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}

/** As `3 h ago`: one unit, rounded down, so that a list can be read at a glance. */
export function ageOf(time: Date, now: Date): string {
  const seconds = Math.max(0, now.getTime() - time.getTime()) / 1000;
  const unit = UNITS.find(([, size]) => seconds >= size);
  if (unit === undefined || seconds < 60) return 'just now';
  const [name, size] = unit;
  return `${Math.floor(seconds / size)} ${name} ago`;
}
