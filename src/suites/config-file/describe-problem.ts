import type { z } from 'zod';
import { cut, formatCount, ifAny } from '../../text/format.ts';
import { inputWords, otherType } from '../../text/input-words.ts';
import { CONFIG_FILE } from './config-file.ts';
import { suggest, type UnknownKey } from './find-unknown-keys.ts';
import { findAt, findKey, type Located } from './read-yaml.ts';

/**
 * `what` is the text after the position: `threshold must be a number from 0 to 1`. Only problems that are shown are put
 * into words.
 */
export type FileProblem = { line: number; column: number; what: () => string };

const MAX_QUOTE = 200;
const MAX_SHOWN = 10;
const MAX_NAME = 200;

const words = new Intl.ListFormat('en', { type: 'disjunction' });

/** Messages for settings whose schema has none of its own. */
export const fileErrorMap: z.core.$ZodErrorMap = (issue) => {
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
export function locateIssues(root: Located, issues: readonly Issue[]): { offset: number; what: () => string }[] {
  return issues.flatMap(resolve).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return [];
    const { offset, isThere } = findAt(root, issue.path);
    if (issue.path.length === 0) return [{ offset, what: () => `the file ${issue.message}` }];
    const isMissing = !isThere && issue.code === 'invalid_type';
    return [{ offset, what: () => `${nameOf(issue.path)} ${isMissing ? 'is missing' : issue.message}` }];
  });
}

export function locateUnknownKey(
  root: Located,
  { path, key, known }: UnknownKey,
): { offset: number; what: () => string } {
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
export function describeProblems(text: string, problems: readonly FileProblem[]): string {
  const lines = text.split('\n');
  const ordered = [...problems].sort((one, other) => one.line - other.line || one.column - other.column);
  const shown = ordered.slice(0, MAX_SHOWN).map((problem) => {
    const { line, column, what } = problem;
    return `${CONFIG_FILE}, line ${line}, column ${column}: ${what()}\n\n${quote(lines, problem)}`;
  });
  const left = ordered.length - shown.length;
  return [...shown, ...ifAny(left, `…and ${formatCount(left, 'more problem')}.`)].join('\n\n');
}
