import { LineCounter } from 'yaml';
import type { z } from 'zod';
import { hasBadText } from '../../text/bad-text.ts';
import { cut, formatCount, ifAny } from '../../text/format.ts';
import { inputWords, otherType } from '../../text/input-words.ts';
import { completeMatcher, toList } from '../config/preview-matcher.ts';
import { SuiteConfigInput } from '../config/suite-config.ts';
import {
  CONFIG_FILE,
  lockedPaths,
  NO_SETTINGS,
  suiteKey,
  type FileSettings,
  type SuiteSettings,
} from './config-file.ts';
import { CONFIG_FILE_SCHEMA, CONFIG_KEYS, ConfigFileInput, SuiteInFile } from './file-schema.ts';
import { findUnknownKeys, suggest, type UnknownKey } from './find-unknown-keys.ts';
import { findAt, findKey, readYaml, type Located } from './read-yaml.ts';

/**
 * `what` is the text after the position: `threshold must be a number from 0 to 1`. Only problems that are shown are put
 * into words.
 */
type FileProblem = { line: number; column: number; what: () => string };

const MAX_QUOTE = 200;
const MAX_SHOWN = 10;
const MAX_NAME = 200;

const words = new Intl.ListFormat('en', { type: 'disjunction' });

/** Messages for settings whose schema has none of its own. */
const fileErrorMap: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'object' || issue.expected === 'record'
        ? 'must have settings below it, as in `key: value`'
        : otherType(issue.expected);
    case 'invalid_value':
      return `must be ${words.format(issue.values.map(String))}`;
    default:
      return inputWords(issue);
  }
};

/** `viewports[1].width`, `suites.Docs.preview.url` */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return cut(name.replace(/^\./, ''), MAX_NAME);
}

type Issue = z.core.$ZodIssue;

const isInside = ({ path }: Issue) => path.length > 0;

/** The issue belongs to an alternative for another type of value. */
const isOtherKind = (issue: Issue) =>
  !isInside(issue) && (issue.code === 'invalid_type' || issue.code === 'invalid_value');

/**
 * For alternatives, the problems of the one that was probably meant: the one with problems inside it, or the one whose
 * type of value fits.
 */
function resolve(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const alternatives = issue.errors.filter((issues) => issues.length > 0);
  const meant =
    alternatives.find((issues) => issues.every(isInside)) ?? alternatives.find((issues) => !issues.some(isOtherKind));
  if (meant === undefined) return [issue];
  return meant.flatMap((inner) => resolve({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The problems that a schema finds in a value, each with its position in the text. Unknown keys are left out. */
function locateIssues(root: Located, issues: readonly Issue[]): { offset: number; what: () => string }[] {
  return issues.flatMap(resolve).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return [];
    const { offset, isThere } = findAt(root, issue.path);
    if (issue.path.length === 0) return [{ offset, what: () => `the file ${issue.message}` }];
    const isMissing = !isThere && issue.code === 'invalid_type';
    return [{ offset, what: () => `${nameOf(issue.path)} ${isMissing ? 'is missing' : issue.message}` }];
  });
}

function locateUnknownKey(root: Located, { path, key, known }: UnknownKey): { offset: number; what: () => string } {
  const describe = () => {
    const meant = suggest(key, known);
    return `${nameOf([...path, key])} is not a known setting.${meant === null ? '' : ` Did you mean ${meant}?`}`;
  };
  return { offset: findKey(root, path, key), what: describe };
}

function quote(lines: readonly string[], { line, column }: FileProblem): string {
  const shown = cut((lines[line - 1] ?? '').trimEnd(), MAX_QUOTE);
  const caret = column <= shown.length + 1 ? `\n${' '.repeat(String(line).length)} | ${' '.repeat(column - 1)}^` : '';
  return `${line} | ${shown}${caret}`;
}

/** The problems for people, in the order of the file, each with its line. */
function describeProblems(text: string, problems: readonly FileProblem[]): string {
  const lines = text.split('\n');
  const ordered = [...problems].sort((one, other) => one.line - other.line || one.column - other.column);
  const shown = ordered.slice(0, MAX_SHOWN).map((problem) => {
    const { line, column, what } = problem;
    return `${CONFIG_FILE}, line ${line}, column ${column}: ${what()}\n\n${quote(lines, problem)}`;
  });
  const left = ordered.length - shown.length;
  return [...shown, ...ifAny(left, `…and ${formatCount(left, 'more problem')}.`)].join('\n\n');
}

/** `problem` is for people and quotes the lines. */
export type ParsedFile = { settings: FileSettings; problem: null } | { settings: null; problem: string };

const orAll = (patterns: string | string[] | null) => {
  const list = toList(patterns);
  return list.length === 0 ? null : list;
};

/** The settings for one suite only. `line`: the line of a setting of the configuration. */
function readSuite(value: Record<string, unknown>, line: (path: string) => number): Partial<SuiteSettings> {
  const said = SuiteInFile.parse(value);
  const { previewUrl, ignoreDrafts, paths, runAfterMerge } = said;
  const preview = said.preview ?? null;
  const config = SuiteConfigInput.parse({
    ...Object.fromEntries(CONFIG_KEYS.filter((key) => value[key] !== undefined).map((key) => [key, value[key]])),
    ...(said.preview === undefined ? {} : { preview }),
  });
  return {
    ...(said.preview === undefined ? {} : { preview: completeMatcher(preview) }),
    ...(previewUrl === undefined ? {} : { previewUrl }),
    ...(ignoreDrafts === undefined || ignoreDrafts === null ? {} : { ignoreDrafts }),
    ...(paths === undefined ? {} : { paths: orAll(paths) }),
    ...(runAfterMerge === undefined || runAfterMerge === null ? {} : { runAfterMerge }),
    config,
    lines: Object.fromEntries(lockedPaths(config).map((path) => [path, line(path)])),
  };
}

type Lines = (offset: number) => { line: number; column: number };

function lineOfSetting(root: Located, lines: Lines, above: string[], path: string): number {
  const parts = path.split('.');
  // A group that is null sets everything below it.
  while (parts.length > 1 && !findAt(root, [...above, ...parts]).isThere) parts.pop();
  return lines(findKey(root, [...above, ...parts.slice(0, -1)], parts.at(-1) ?? '')).line;
}

function toSettings(root: Located, lines: Lines): FileSettings {
  const top = ConfigFileInput.parse(root.value);
  const { suites = null, ...common } = top;
  const lineIn = (above: string[]) => (path: string) => lineOfSetting(root, lines, above, path);
  const own = Object.entries(suites ?? {}).map(([name, said]) => [
    suiteKey(name),
    readSuite(said ?? {}, lineIn(['suites', name])),
  ]);
  return { ...NO_SETTINGS, ...readSuite(common, lineIn([])), suites: Object.fromEntries(own) };
}

type Problem = { offset: number; what: () => string };

function findProblems(root: Located): Problem[] {
  const parsed = ConfigFileInput.safeParse(root.value, { error: fileErrorMap });
  const wrong = locateIssues(root, parsed.error?.issues ?? []);
  const unknown = findUnknownKeys(CONFIG_FILE_SCHEMA, root.value).map((key) => locateUnknownKey(root, key));
  return [...wrong, ...unknown];
}

/** Pure. An empty file is valid and sets nothing. */
export function parseConfigFile(text: string): ParsedFile {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) counter.addNewLine(at + 1);
  const lines: Lines = (offset) => {
    const { line, col: column } = counter.linePos(offset);
    return { line, column };
  };
  const broken = (problems: readonly Problem[]): ParsedFile => {
    const located: FileProblem[] = problems.map(({ offset, what }) => ({ ...lines(offset), what }));
    return { settings: null, problem: describeProblems(text, located) };
  };
  const { root, problem } = readYaml(text);
  if (root === null) return broken([{ offset: problem.offset, what: () => problem.message }]);
  if (root.value === null) return { settings: NO_SETTINGS, problem: null };
  const wrong = findProblems(root);
  if (wrong.length > 0) return broken(wrong);
  if (hasBadText(root.value)) {
    const what = () => 'text must not contain NUL or an unpaired surrogate';
    return broken([{ offset: root.offset, what }]);
  }
  return { settings: toSettings(root, lines), problem: null };
}
