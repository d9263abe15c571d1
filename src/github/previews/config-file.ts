import type { Document } from 'yaml';
import { LineCounter, isCollection, isMap, isNode, isScalar, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { fillTemplate, unknownPlaceholders } from './preview-address.ts';

export const CONFIG_FILE = '.github/pixelgate.yml';

/** A repository's settings for its previews and for what is captured. */
export type FileSettings = {
  /** The template, with `{number}`, `{branch}` and `{sha}`. */
  previewUrl: string | null;
  ignoreDrafts: boolean;
  /** Globs for the changed files. Null: every change counts. */
  paths: string[] | null;
  /** Whether a merge starts a MANUAL run of the suite's own URL. */
  runAfterMerge: boolean;
  /** Keys that we do not know. */
  unknownKeys: string[];
};

export const NO_SETTINGS: FileSettings = {
  previewUrl: null,
  ignoreDrafts: false,
  paths: null,
  runAfterMerge: false,
  unknownKeys: [],
};

/** `problem` is for people and quotes the line. */
export type ParsedFile = { settings: FileSettings; problem: null } | { settings: null; problem: string };

const MAX_PATTERN = 500;
const MAX_PATTERNS = 200;
const MAX_QUOTE = 200;
const SAMPLE = { number: 1, branch: 'branch', sha: '0'.repeat(40) };

const pattern = z.string('must be text').min(1, 'must not be empty').max(MAX_PATTERN, 'is too long');

const Settings = z.looseObject({
  previewUrl: z
    .string('must be text')
    .superRefine((template, issues) => {
      const [unknown] = unknownPlaceholders(template);
      if (unknown !== undefined) {
        issues.addIssue(`uses {${unknown}}, but only {number}, {branch} and {sha} are supported`);
      } else if (fillTemplate(template, SAMPLE) === null) issues.addIssue('must be an absolute http(s) URL');
    })
    .nullish(),
  ignoreDrafts: z.boolean('must be true or false').nullish(),
  paths: z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(pattern, 'must be a list of patterns').max(MAX_PATTERNS, 'has too many patterns').nullish(),
  ),
  runAfterMerge: z.boolean('must be true or false').nullish(),
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

/** The line of a setting: the line of its wrong value if there is one, otherwise of its key. */
function findLine(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  const root = document.contents;
  const pair = isMap(root)
    ? root.items.find((item) => isScalar(item.key) && String(item.key.value) === String(path[0]))
    : undefined;
  const value = document.getIn([...path], true);
  const offset = readStart(value) ?? readStart(pair?.key) ?? readStart(root) ?? 0;
  return lines.linePos(offset).line;
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
  return broken(findLine(document, lines, issue.path), `${String(issue.path[0])} ${issue.message}`);
}

function toSettings(data: z.output<typeof Settings>): FileSettings {
  return {
    previewUrl: data.previewUrl ?? null,
    ignoreDrafts: data.ignoreDrafts ?? false,
    paths: data.paths === null || data.paths === undefined || data.paths.length === 0 ? null : data.paths,
    runAfterMerge: data.runAfterMerge ?? false,
    unknownKeys: Object.keys(data).filter((key) => !KNOWN_KEYS.has(key)),
  };
}
