import type { Document } from 'yaml';
import { LineCounter, isCollection, isMap, isNode, isScalar, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import type { PreviewMatcher } from '../../suites/preview-matcher.ts';
import { PreviewTemplate, completeMatcher } from '../../suites/preview-matcher.ts';

export const CONFIG_FILE = '.github/pixelgate.yml';

/** What a repository says about its previews and about what is captured, for one suite. */
export type SuiteSettings = {
  /** Which preview is the suite's. Null: the file does not say. */
  preview: PreviewMatcher | null;
  /** The template of the address where no signal gives one, with `{number}`, `{branch}` and `{sha}`. */
  previewUrl: string | null;
  ignoreDrafts: boolean;
  /** Globs for the changed files. Null: every change counts. */
  paths: string[] | null;
  /** Whether a merge starts a MANUAL run of the suite's own URL. */
  runAfterMerge: boolean;
};

/** The file as a whole. */
export type FileSettings = SuiteSettings & {
  /** What it says differently of single suites, by their names in lower case. */
  suites: Record<string, Partial<SuiteSettings>>;
  /** Keys that we do not know. */
  unknownKeys: string[];
};

export const NO_SETTINGS: FileSettings = {
  preview: null,
  previewUrl: null,
  ignoreDrafts: false,
  paths: null,
  runAfterMerge: false,
  suites: {},
  unknownKeys: [],
};

const suiteKey = (name: string) => name.trim().toLowerCase();

/** What the file says for a suite: the settings under its name, and those at the top for the rest. Pure. */
export function settingsFor({ suites, ...common }: FileSettings, name: string): SuiteSettings {
  return { ...common, ...suites[suiteKey(name)] };
}

/** The keys that nobody knows: of settings, and of suites other than those of the repository. Pure. */
export function unknownKeys(settings: FileSettings, suiteNames: string[]): string[] {
  const known = new Set(suiteNames.map(suiteKey));
  const strangers = Object.keys(settings.suites).filter((name) => !known.has(name));
  return [...settings.unknownKeys, ...strangers.map((name) => `suites.${name}`)];
}

/** `problem` is for people and quotes the line. */
export type ParsedFile = { settings: FileSettings; problem: null } | { settings: null; problem: string };

const MAX_PATTERN = 500;
const MAX_PATTERNS = 200;
const MAX_SUITES = 100;
const MAX_QUOTE = 200;

const pattern = z.string('must be text').min(1, 'must not be empty').max(MAX_PATTERN, 'is too long');

/** One pattern needs no list. */
const patterns = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(pattern, 'must be a list of patterns').max(MAX_PATTERNS, 'has too many patterns').nullish(),
);

const Preview = z.strictObject(
  { environment: patterns, context: patterns, check: patterns, url: PreviewTemplate.nullish() },
  'must have only the keys environment, context, check and url',
);

const ONE_SUITE = {
  preview: Preview.nullish(),
  previewUrl: PreviewTemplate.nullish(),
  ignoreDrafts: z.boolean('must be true or false').nullish(),
  paths: patterns,
  runAfterMerge: z.boolean('must be true or false').nullish(),
};
const ForSuite = z.looseObject(ONE_SUITE, 'must be a list of settings');
type ForSuite = z.output<typeof ForSuite>;

const Settings = z.looseObject({
  ...ONE_SUITE,
  suites: z
    .record(z.string(), ForSuite.nullable(), 'must be a list of suites by name')
    .refine((suites) => Object.keys(suites).length <= MAX_SUITES, 'has too many suites')
    .nullish(),
});

const KNOWN_KEYS = new Set(Object.keys(Settings.shape));

function quote(text: string, line: number, what: string): string {
  const shown = (text.split(/\r\n|\r|\n/)[line - 1] ?? '').trimEnd();
  const cut = shown.length > MAX_QUOTE ? `${shown.slice(0, MAX_QUOTE - 1)}…` : shown;
  return `${CONFIG_FILE}, line ${line}: ${what}\n\n${line} | ${cut}`;
}

function readStart(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null;
}

/** The line of a setting: the line of its wrong value if there is one, otherwise of the nearest key above it. */
function findLine(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  const value = readStart(document.getIn([...path], true));
  if (value !== null) return lines.linePos(value).line;
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  const pair = isMap(parent)
    ? parent.items.find((item) => isScalar(item.key) && String(item.key.value) === String(path.at(-1)))
    : undefined;
  const offset = readStart(pair?.key);
  if (offset !== null) return lines.linePos(offset).line;
  return path.length > 1
    ? findLine(document, lines, path.slice(0, -1))
    : lines.linePos(readStart(document.contents) ?? 0).line;
}

/** Where the parser failed. For an unclosed bracket or quote, where it was opened. */
function offsetOfError(document: Document, [end]: readonly [number, number]): number {
  let offset = end;
  visit(document, (_, node) => {
    const isOpened =
      (isCollection(node) && node.flow === true) || (isScalar(node) && node.type?.startsWith('QUOTE') === true);
    if (!isOpened || node.range?.[1] !== end) return undefined;
    offset = node.range[0];
    return visit.BREAK;
  });
  return offset;
}

function read(document: Document): { value: unknown } | { failure: string } {
  try {
    // Limits the aliases: a file with aliases of aliases could grow without end.
    return { value: document.toJS({ maxAliasCount: 50 }) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Pure. An empty file is valid and sets nothing. */
export function parseConfigFile(text: string): ParsedFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = (line: number, what: string): ParsedFile => ({ settings: null, problem: quote(text, line, what) });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(offsetOfError(document, error.pos));
    return broken(line, `is not valid YAML: ${error.message}`);
  }
  const whole = read(document);
  if ('failure' in whole) return broken(1, `is not usable: ${whole.failure}`);
  if (whole.value === null || whole.value === undefined) return { settings: NO_SETTINGS, problem: null };
  const parsed = Settings.safeParse(whole.value);
  if (parsed.success) return { settings: toSettings(parsed.data), problem: null };
  const [issue] = parsed.error.issues;
  if (issue === undefined || issue.path.length === 0)
    return broken(1, 'must be a list of settings, as in `key: value`');
  return broken(findLine(document, lines, issue.path), `${nameOf(issue.path)} ${issue.message}`);
}

/** `paths`, `suites.Docs.preview.url`: without the places in lists. */
const nameOf = (path: readonly PropertyKey[]) => path.filter((part) => typeof part !== 'number').join('.');

const orAll = (list: string[] | null | undefined) =>
  list === null || list === undefined || list.length === 0 ? null : list;

/** What is said, and nothing of the rest. */
function said({ preview, previewUrl, ignoreDrafts, paths, runAfterMerge }: ForSuite): Partial<SuiteSettings> {
  return {
    ...(preview === undefined ? {} : { preview: completeMatcher(preview) }),
    ...(previewUrl === undefined ? {} : { previewUrl }),
    ...(ignoreDrafts === undefined || ignoreDrafts === null ? {} : { ignoreDrafts }),
    ...(paths === undefined ? {} : { paths: orAll(paths) }),
    ...(runAfterMerge === undefined || runAfterMerge === null ? {} : { runAfterMerge }),
  };
}

function toSettings(data: z.output<typeof Settings>): FileSettings {
  const suites = Object.entries(data.suites ?? {});
  const strange = suites.flatMap(([name, each]) =>
    Object.keys(each ?? {})
      .filter((key) => !Object.hasOwn(ONE_SUITE, key))
      .map((key) => `suites.${name}.${key}`),
  );
  return {
    ...NO_SETTINGS,
    ...said(data),
    suites: Object.fromEntries(suites.map(([name, each]) => [suiteKey(name), said(each ?? {})])),
    unknownKeys: [...Object.keys(data).filter((key) => !KNOWN_KEYS.has(key)), ...strange],
  };
}
