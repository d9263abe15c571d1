import { LineCounter } from 'yaml';
import { hasBadText } from '../../text/bad-text.ts';
import { completeMatcher, toList } from '../config/preview-matcher.ts';
import { SuiteConfigInput } from '../config/suite-config.ts';
import { lockedPaths, NO_SETTINGS, suiteKey, type FileSettings, type SuiteSettings } from './config-file.ts';
import {
  describeProblems,
  fileErrorMap,
  locateIssues,
  locateUnknownKey,
  type FileProblem,
} from './describe-problem.ts';
import { CONFIG_FILE_SCHEMA, CONFIG_KEYS, ConfigFileInput, SuiteInFile } from './file-schema.ts';
import { findUnknownKeys } from './find-unknown-keys.ts';
import { findAt, findKey, readYaml, type Located } from './read-yaml.ts';

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
