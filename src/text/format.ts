const NUMBER = new Intl.NumberFormat('en');

/** As `12,345`. */
export function formatNumber(amount: number): string {
  return NUMBER.format(amount);
}

/** The word alone, as `page` or `pages`. */
export function plural(count: number, one: string, other = `${one}s`): string {
  return count === 1 ? one : other;
}

/** As `1 page` or `1,200 pages`. */
export function formatCount(count: number, one: string, other = `${one}s`): string {
  return `${formatNumber(count)} ${plural(count, one, other)}`;
}

/** The first seven characters of a commit's SHA, as GitHub shows it. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

/** `short` for tables, as `5 min`; `long` for sentences, as `5 minutes`. */
type UnitStyle = 'short' | 'long';

type Unit = { short: string; long: string; seconds: number };

const UNITS: Unit[] = [
  { short: 'd', long: 'day', seconds: 86_400 },
  { short: 'h', long: 'hour', seconds: 3600 },
  { short: 'min', long: 'minute', seconds: 60 },
  { short: 's', long: 'second', seconds: 1 },
];

const inUnit = (count: number, unit: Unit, style: UnitStyle) =>
  style === 'short' ? `${count} ${unit.short}` : formatCount(count, unit.long);

/** Two units at most, as `2 min 5 s`. */
export function formatDuration(seconds: number, style: UnitStyle = 'short'): string {
  let rest = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const unit of UNITS) {
    const count = Math.floor(rest / unit.seconds);
    rest -= count * unit.seconds;
    if (count > 0) parts.push(inUnit(count, unit, style));
  }
  return parts.slice(0, 2).join(' ') || (style === 'short' ? '0 s' : '0 seconds');
}

/** As `3 h ago`: one unit, rounded down, so that a list can be read at a glance. */
export function formatAge(time: Date, now: Date, style: UnitStyle = 'short'): string {
  const seconds = Math.max(0, now.getTime() - time.getTime()) / 1000;
  const unit = UNITS.find((each) => seconds >= each.seconds);
  if (unit === undefined || seconds < 60) return 'just now';
  return `${inUnit(Math.floor(seconds / unit.seconds), unit, style)} ago`;
}
