import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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

export const VIEWS = fileURLToPath(new URL('../../views/', import.meta.url));

const EXTENSION = '.hbs';

/** Every template by its name, which is its path in `views/` without the extension. */
export async function readViews(): Promise<Map<string, string>> {
  const files = (await readdir(VIEWS, { recursive: true })).filter((file) => file.endsWith(EXTENSION));
  const read = async (file: string): Promise<[string, string]> => [
    file.slice(0, -EXTENSION.length).replaceAll(path.sep, '/'),
    await readFile(path.join(VIEWS, file), 'utf8'),
  ];
  return new Map(await Promise.all(files.map(read)));
}

/**
 * Characters that change the direction of text: a name with them can look like another one, and turn round what is beside
 * it. Fields are left as they are, because their text is sent again.
 */
const DISGUISING = / value="[^"]*|<textarea[^<]*|[\u202A-\u202E\u2066-\u2069]/gu;

/** Prints each of these characters as one that is seen. */
const unmask = (html: string): string => html.replace(DISGUISING, (found) => (found.length === 1 ? '\uFFFD' : found));

/** Renders a view with its model. In the model of `layouts/main`, `content` is the rendered view. */
export type Render = (view: string, model: object) => string;

/**
 * Compiles all templates in `views/` once. A name that is used in a template but missing in the model is an error, so
 * that a typo does not become a blank.
 * @param iconSheet the address of the file with all icons
 * @throws Error when rendering a view that does not exist.
 */
export async function createRender(iconSheet: string): Promise<Render> {
  const views = await readViews();
  const handlebars = Handlebars.create();
  const helpers = viewHelpers(iconSheet);
  handlebars.registerHelper(helpers);
  const options = {
    strict: true,
    preventIndent: true,
    // With this, `{{name}}` is a field and is not looked up among the helpers first, which takes as long as the rest.
    knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
    knownHelpersOnly: true,
  };
  const templates = new Map([...views].map(([name, source]) => [name, handlebars.compile(source, options)]));
  for (const [name, template] of templates) handlebars.registerPartial(name, template);
  return (view, model) => {
    const template = templates.get(view);
    if (template === undefined) throw new Error(`There is no view ${view}`);
    return unmask(template(model));
  };
}
