import { STATUS_CODES } from 'node:http';

/** The language of all texts, and so of numbers, times and plurals. */
export const LOCALE = 'en';

const NUMBER = new Intl.NumberFormat(LOCALE);

const PLURAL = new Intl.PluralRules(LOCALE);

const LIST = new Intl.ListFormat(LOCALE);

const AGE = new Intl.RelativeTimeFormat(LOCALE);

const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

/** As `12,345`. */
export function formatNumber(amount: number): string {
  return NUMBER.format(amount);
}

const BYTE_UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** As `12 bytes`, `3.4 MB` or `120 GB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** power;
  return `${formatNumber(amount < 10 && power > 0 ? Math.round(amount * 10) / 10 : Math.round(amount))} ${BYTE_UNITS[power]}`;
}

/** A box in px, as `1,280 × 60 px at 10, 2000`. */
export const formatBox = ({ x, y, width, height }: Record<'x' | 'y' | 'width' | 'height', number>): string =>
  `${formatNumber(width)} × ${formatNumber(height)} px at ${x}, ${y}`;

/** The word alone, as `page` or `pages`. */
export function plural(count: number, one: string, other = `${one}s`): string {
  return PLURAL.select(count) === 'one' ? one : other;
}

/** With its first letter in lower case. */
export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** With its first letter in upper case. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** As `1 page` or `1,200 pages`. */
export function formatCount(count: number, one: string, other = `${one}s`): string {
  return `${formatNumber(count)} ${plural(count, one, other)}`;
}

/** The text, for a list of texts, if there are any of what it counts. */
export const ifAny = (count: number, text: string): string[] => (count > 0 ? [text] : []);

/** As `a, b, and c`. */
export function formatList(parts: Iterable<string>): string {
  return LIST.format(parts);
}

const percentWith = (digits: number) =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits });

const PERCENT = { none: percentWith(0), one: percentWith(1), two: percentWith(2) };

/** A diff percentage, 0 to 100, as `4.20%`. Above zero it is never printed as `0%`, and below 100 never as `100%`. */
export function formatPercent(score: number): string {
  if (score === 0 || score === 100) return PERCENT.none.format(score / 100);
  if (score < 0.01) return `< ${PERCENT.two.format(0.0001)}`;
  if (score > 99.9) return `> ${PERCENT.one.format(0.999)}`;
  return (score < 10 ? PERCENT.two : PERCENT.one).format(score / 100);
}

/** An HTTP status, as `404 Not Found`. */
export const formatStatus = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();

/** The first seven characters of a commit's SHA, as GitHub shows it. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

/** `narrow` for tables, as `5m`; `long` for sentences, as `5 minutes`. */
type UnitStyle = 'narrow' | 'long';

const UNITS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

const unitFormats = (unitDisplay: UnitStyle) =>
  new Map(
    UNITS.map(({ unit }) => {
      const format = new Intl.NumberFormat(LOCALE, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
      return [unit, format];
    }),
  );

const UNIT_FORMATS = { narrow: unitFormats('narrow'), long: unitFormats('long') };

const inUnit = (count: number, unit: (typeof UNITS)[number]['unit'], style: UnitStyle) =>
  UNIT_FORMATS[style].get(unit)?.format(count) ?? '';

/** At most two units, as `2m 5s`. */
export function formatDuration(seconds: number, style: UnitStyle = 'narrow'): string {
  let rest = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const { unit, seconds: size } of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(inUnit(count, unit, style));
  }
  return parts.slice(0, 2).join(' ') || inUnit(0, 'second', style);
}

/** A short time with at most one decimal, as `1.5 seconds`. */
export function formatSeconds(seconds: number, style: UnitStyle = 'long'): string {
  return inUnit(seconds, 'second', style);
}

/** As `3 hours ago`: one unit, rounded down, so that a list can be read at a glance. */
export function formatAge(time: Date, now: Date): string {
  const seconds = Math.max(0, now.getTime() - time.getTime()) / 1000;
  const found = UNITS.find((each) => seconds >= each.seconds);
  if (found === undefined || seconds < 60) return 'just now';
  return AGE.format(-Math.floor(seconds / found.seconds), found.unit);
}

/** A day in UTC, as `Nov 21, 2026`. */
export function formatDate(time: Date): string {
  return DATE.format(time);
}

/** A text of at most `length` characters; `…` stands for the rest. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/** The lines of a text, trimmed, without empty ones. */
export const splitLines = (text = ''): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The first line that is not empty, at most 500 characters. */
export const firstLine = (text: string): string => cut(splitLines(text)[0] ?? '', 500);

export const inOneLine = (text: string): string => splitLines(text).join(' ');
