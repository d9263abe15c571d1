import { z } from 'zod';
import { formatNumber } from '../../format.ts';
import { CONFIG_BOUNDS } from '../../suites/suite-config.ts';
import type { Problem } from '../problem.ts';

type BoundedName = keyof typeof CONFIG_BOUNDS;

const UNITS: Record<BoundedName, string> = {
  maxPages: 'pages',
  maxDepth: 'links from the base URL',
  waitTime: 'ms',
  threshold: '',
  failureThreshold: '% of pixels',
  screenshotConcurrency: 'at a time',
  comparisonConcurrency: 'at a time',
  timeout: 'ms',
  width: 'px',
  height: 'px',
};

/** These take decimals. */
const REAL: ReadonlySet<string> = new Set<BoundedName>(['threshold', 'failureThreshold']);

/** A number as typed. Empty is null, which restores the default. Anything else is refused at its field. */
export const numberOrNull = z
  .string()
  .optional()
  .transform((text): number | null | undefined => (text === undefined || text.trim() === '' ? null : Number(text)));

function rangeOf(name: BoundedName): string {
  const [low, high] = CONFIG_BOUNDS[name];
  return `${formatNumber(low)} to ${formatNumber(high)}`;
}

/** As `1 to 10,000 pages. Default: 100.` */
export function boundsNote(name: BoundedName, fallback: number): string {
  return `${rangeOf(name)} ${UNITS[name]}`.trim() + `. Default: ${formatNumber(fallback)}.`;
}

/** With a step of 1, the browser already refuses decimals. */
export function numberAttributes(name: BoundedName): Record<string, string | number> {
  const [min, max] = CONFIG_BOUNDS[name];
  return { min, max, step: REAL.has(name) ? 'any' : 1 };
}

const isBounded = (name: string): name is BoundedName => name in CONFIG_BOUNDS;

function inWordsAt(path: string, message: string): string {
  const name = path.split('.').at(-1) ?? '';
  if (!path.startsWith('config.') || !isBounded(name)) return message;
  return `Must be a ${REAL.has(name) ? 'number' : 'whole number'} from ${rangeOf(name)}`;
}

/** Rewords the problem for people when the numbers of a config are wrong. */
export function inWords(problem: Problem | null): Problem | null {
  if (problem === null) return null;
  const fields = Object.entries(problem.fields).map(([path, message]) => [path, inWordsAt(path, message)]);
  return { ...problem, fields: Object.fromEntries(fields) };
}
