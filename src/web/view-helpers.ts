import Handlebars, { type HelperDelegate, type HelperOptions } from 'handlebars';
import { formatCount, formatDuration, formatNumber, formatPercent } from '../text/format.ts';
import { readablePath } from '../text/readable-path.ts';
import { drawIcon } from './icons.ts';
import { exactTime, shortTime, validTimeZone } from './show-time.ts';

const { SafeString, escapeExpression } = Handlebars;

function zoneIn(options: HelperOptions): string {
  const root: unknown = options.data?.root;
  const zone = typeof root === 'object' && root !== null && 'zone' in root ? root.zone : null;
  return validTimeZone(typeof zone === 'string' ? zone : null);
}

/**
 * `{{time at}}` prints a time in the viewer's zone, with the exact time on hover, and UTC for machines and the script.
 */
function time(at: unknown, options: HelperOptions): unknown {
  if (!(at instanceof Date)) return '';
  const zone = zoneIn(options);
  const [iso, exact, short] = [at.toISOString(), exactTime(at, zone), shortTime(at, zone)].map(escapeExpression);
  return new SafeString(`<time datetime="${iso}" title="${exact}">${short}</time>`);
}

/** `{{age at "3 h ago"}}` prints these words, which don't depend on the zone, with the exact time on hover. */
function age(at: unknown, words: unknown, options: HelperOptions): unknown {
  if (!(at instanceof Date)) return '';
  const [iso, exact] = [at.toISOString(), exactTime(at, zoneIn(options))].map(escapeExpression);
  return new SafeString(`<time datetime="${iso}" title="${exact}" data-age>${escapeExpression(String(words))}</time>`);
}

/** `{{count n "page"}}`, or `{{count n "copy" "copies"}}`. */
function count(...args: unknown[]): string {
  const [amount, one, other] = args;
  return formatCount(Number(amount), String(one), typeof other === 'string' ? other : undefined);
}

/** `{{coded text}}` prints a sentence and formats text between backticks as code. */
function coded(text: unknown): unknown {
  const parts = String(text).split('`');
  const isCode = (at: number) => at % 2 === 1 && at < parts.length - 1;
  const open = (at: number) => (at % 2 === 1 ? '`' : '');
  const printed = parts.map((part, at) =>
    isCode(at) ? `<code>${escapeExpression(part)}</code>` : escapeExpression(open(at) + part),
  );
  return new SafeString(printed.join(''));
}

/** `{{percent score}}` prints a diff percentage. A score above zero is never printed as `0%`. */
function percent(score: unknown): string {
  if (typeof score !== 'number') return '–';
  return formatPercent(score);
}

/**
 * The helpers that templates use for formatting. Anything that makes decisions belongs in the model.
 * @param iconSheet the address of the file with all icons
 */
export function viewHelpers(iconSheet: string): Record<string, HelperDelegate> {
  return {
    time,
    age,
    count,
    coded,
    percent,
    readable: (path: unknown) => readablePath(String(path)),
    number: (amount: unknown) => formatNumber(Number(amount)),
    duration: (seconds: unknown) => formatDuration(Number(seconds)),
    icon: (name: unknown) => new SafeString(drawIcon(name, iconSheet)),
  };
}
