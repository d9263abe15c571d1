import { orNull } from '../../errors.ts';
import type { IgnoredBox, PageAction, PageRule } from '../../suites/config/page-rule.ts';
import { formatCount, inOneLine, splitLines } from '../../text/format.ts';
import { readNumber, writeNumber } from '../../text/typed-number.ts';

/** Quoted if it could be read as something else. */
const formatKey = (key: string) => (/^[^\s"]+$/.test(key) ? key : JSON.stringify(key));

/** An action as a line of text. `readAction` reads it back. */
function formatAction(action: PageAction): string {
  switch (action.type) {
    case 'click':
    case 'hover':
      return `${action.type} ${inOneLine(action.selector)}`;
    case 'scrollTo':
      return `scroll to ${inOneLine(action.selector)}`;
    case 'type':
      return `type ${JSON.stringify(action.text)} into ${inOneLine(action.selector)}`;
    case 'press':
      return `press ${formatKey(action.key)}${action.selector === undefined ? '' : ` on ${inOneLine(action.selector)}`}`;
    case 'wait':
      return `wait ${action.ms} ms`;
  }
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;

const unquote = (text: string): unknown =>
  text.startsWith('"') ? (orNull<unknown>(() => JSON.parse(text)) ?? text) : text;

type Form = { pattern: RegExp; read: (first: string, second: string | undefined) => unknown };

const FORMS: Form[] = [
  { pattern: /^(click|hover)\s+(\S.*)$/i, read: (type, selector) => ({ type: type.toLowerCase(), selector }) },
  { pattern: /^scroll\s+to\s+(\S.*)$/i, read: (selector) => ({ type: 'scrollTo', selector }) },
  {
    pattern: new RegExp(String.raw`^type\s+(${QUOTED})\s+into\s+(\S.*)$`, 'i'),
    read: (text, selector) => ({ type: 'type', selector, text: unquote(text) }),
  },
  {
    pattern: new RegExp(String.raw`^press\s+(${QUOTED}|[^\s"]+)(?:\s+on\s+(\S.*))?$`, 'i'),
    read: (key, selector) => ({ type: 'press', key: unquote(key), ...(selector === undefined ? {} : { selector }) }),
  },
  { pattern: /^wait\s+(\d+)(?:\s*ms)?$/i, read: (ms) => ({ type: 'wait', ms: Number(ms) }) },
];

/** The action in a line. A line without a valid action stays text, which the validation refuses. */
function readAction(line: string): unknown {
  for (const { pattern, read } of FORMS) {
    const [whole, first = '', second] = pattern.exec(line) ?? [];
    if (whole !== undefined) return read(first, second);
  }
  return line;
}

/**
 * A rule as in the form: texts by the names of the fields. Lists have one item on each line. A ticked viewport is
 * `viewports.<name>`. What is left out, or empty, is not part of the rule.
 */
export type RuleTexts = Readonly<Record<string, string>>;

/** In the order of the form. */
export const SELECTOR_LISTS = ['hide', 'remove', 'mask', 'ignore', 'waitFor'] as const;

/** A rule may remove the actions of earlier rules. */
const NO_ACTION = 'none';

const VIEWPORT = /^viewports\.(.+)$/;

export const tickedViewports = (texts: RuleTexts): string[] =>
  Object.keys(texts).flatMap((name) => VIEWPORT.exec(name)?.[1] ?? []);

const asLines = (items: readonly string[]) => items.map(inOneLine).join('\n');

const formatBox = ({ x, y, width, height }: IgnoredBox) => [x, y, width, height].join(' ');

const formatSet = (value: number | undefined) => (value === undefined ? '' : writeNumber(value));

/** A line that is not four numbers stays text, which the validation refuses. */
function readBox(line: string): unknown {
  const [x, y, width, height, ...more] = line.split(/[\s,;×]+/).map(readNumber);
  return height === undefined || more.length > 0 ? line : { x, y, width, height };
}

function formatActions(actions: PageRule['actions']): string {
  if (actions === undefined) return '';
  return actions.length === 0 ? NO_ACTION : actions.map(formatAction).join('\n');
}

const readActions = (lines: string[]) => (lines.join() === NO_ACTION ? [] : lines.map(readAction));

/** `readRule` reads it back. */
export function toTexts(rule: PageRule): RuleTexts {
  const { skip } = rule;
  return {
    paths: asLines(rule.paths),
    ...Object.fromEntries((rule.viewports ?? []).map((name) => [`viewports.${name}`, 'on'])),
    ...Object.fromEntries(SELECTOR_LISTS.map((name) => [name, asLines(rule[name] ?? [])])),
    ignoreBoxes: (rule.ignoreBoxes ?? []).map(formatBox).join('\n'),
    actions: formatActions(rule.actions),
    css: rule.css ?? '',
    waitTime: formatSet(rule.waitTime),
    threshold: formatSet(rule.threshold),
    failureThreshold: formatSet(rule.failureThreshold),
    skip: skip === undefined ? '' : skip ? 'yes' : 'no',
  };
}

/** The parsed value of a field; undefined if it is empty. */
function given<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined || text.trim() === '' ? undefined : read(text.trim());
}

/** The rule as in the configuration, before validation. */
export function readRule(texts: RuleTexts): Record<string, unknown> {
  const viewports = tickedViewports(texts);
  const all = {
    paths: splitLines(texts['paths']),
    viewports: viewports.length === 0 ? undefined : viewports,
    ...Object.fromEntries(SELECTOR_LISTS.map((name) => [name, given(texts[name], splitLines)])),
    ignoreBoxes: given(texts['ignoreBoxes'], (text) => splitLines(text).map(readBox)),
    actions: given(texts['actions'], (text) => readActions(splitLines(text))),
    css: given(texts['css'], (text) => text),
    waitTime: given(texts['waitTime'], readNumber),
    threshold: given(texts['threshold'], readNumber),
    failureThreshold: given(texts['failureThreshold'], readNumber),
    skip: given(texts['skip'], (text) => text === 'yes'),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Whether nothing was entered. Such a rule is not kept. */
export const isBlank = (texts: RuleTexts): boolean => Object.values(texts).every((text) => text.trim() === '');

/** Maximum number of items in a description. */
const NAMED = 3;

function name(items: string[]): string {
  const rest = items.length - NAMED;
  return rest > 0 ? `${items.slice(0, NAMED).join(', ')} and ${rest} more` : items.join(', ');
}

/** Such as `hides .ad`, or empty. */
const verb = (word: string, text: string | undefined): string[] => {
  const items = splitLines(text);
  return items.length === 0 ? [] : [`${word} ${name(items)}`];
};

const counted = (word: string, text: string | undefined, one: string, other?: string): string[] => {
  const items = splitLines(text);
  return items.length === 0 ? [] : [`${word} ${formatCount(items.length, one, other)}`];
};

const single = (text: string | undefined, say: (value: string) => string): string[] => {
  const value = (text ?? '').trim();
  return value === '' ? [] : [say(value)];
};

/** What the rule does, in words: `On /blog/** at mobile: hides .ad, ignores #clock`. */
export function describeRule(texts: RuleTexts): string {
  const paths = splitLines(texts['paths']);
  const viewports = tickedViewports(texts);
  const does = [
    ...single(texts['skip'], (skip) => (skip === 'yes' ? 'excludes the pages' : 'includes the pages')),
    ...verb('hides', texts['hide']),
    ...verb('removes', texts['remove']),
    ...verb('covers', texts['mask']),
    ...verb('ignores', texts['ignore']),
    ...counted('ignores', texts['ignoreBoxes'], 'box', 'boxes'),
    ...verb('waits for', texts['waitFor']),
    ...counted('does', texts['actions'], 'action'),
    ...single(texts['waitTime'], (time) => `waits ${time} ms`),
    ...single(texts['css'], () => 'adds CSS'),
    ...single(texts['threshold'], (threshold) => `color threshold ${threshold}`),
    ...single(texts['failureThreshold'], (threshold) => `failure threshold ${threshold}%`),
  ];
  const where = paths.length === 0 ? 'New rule' : `On ${name(paths)}`;
  const at = viewports.length === 0 ? '' : ` at ${name(viewports)}`;
  return `${where}${at}: ${does.length === 0 ? 'nothing yet' : does.join(', ')}`;
}
