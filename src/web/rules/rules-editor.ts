import { RULES_MAX } from '../../suites/config/page-rule.ts';
import type { SuiteConfig } from '../../suites/config/suite-config.ts';
import { lowerFirst, splitLines } from '../../text/format.ts';
import { buildField, type Problem, type Typed } from '../form-field.ts';
import { ruleFields, viewportBoxes } from './rule-fields.ts';
import { describeRule, isBlank, readRule, SELECTOR_LISTS, toTexts, type RuleTexts } from './rule-text.ts';

/** Where the rules are in the configuration. */
const PATH = 'config.rules';

/** More than a configuration may have, so that the error message can state the maximum. */
const MOST_RULES = 200;

/** The rules of a form that was sent, in order. Their fields are named `config.rules.3.hide`. */
function typedRules(typed: Typed): RuleTexts[] {
  const rules = new Map<number, Record<string, string>>();
  for (const [name, text] of Object.entries(typed)) {
    const [, number, field] = name.startsWith(`${PATH}.`)
      ? (/^(\d+)\.(.+)$/s.exec(name.slice(PATH.length + 1)) ?? [])
      : [];
    if (number === undefined || field === undefined) continue;
    rules.set(Number(number), { ...rules.get(Number(number)), [field]: text });
  }
  return [...rules]
    .toSorted(([one], [other]) => one - other)
    .slice(0, MOST_RULES)
    .map(([, texts]) => texts);
}

/** The same form with these rules. The names follow their order. */
function withRules(typed: Typed, rules: readonly RuleTexts[]): Typed {
  const others = Object.entries(typed).filter(([name]) => !name.startsWith(`${PATH}.`));
  const fields = rules.flatMap((texts, index) =>
    Object.entries(texts).map(([name, text]) => [`${PATH}.${index}.${name}`, text]),
  );
  return Object.fromEntries([...others, ...fields]);
}

/** As they were typed; `number` counts all lines of the field, from 1. */
const numberedLines = (text = ''): { number: number; line: string }[] =>
  text
    .split('\n')
    .map((line, index) => ({ number: index + 1, line: line.trim() }))
    .filter(({ line }) => line !== '');

/** `1.selector` in a list of lines: the line, and which part of it. */
function describePlace(text: string | undefined, rest: string): string {
  const [index = '', part] = rest.split('.');
  const line = numberedLines(text)[Number(index)];
  if (line === undefined) return '';
  return part === undefined || part === 'selector' || part === 'type'
    ? `Line ${line.number}: `
    : `Line ${line.number}, ${part}: `;
}

/**
 * What is wrong with each rule, by the names of its fields. The validation only sees rules that are not blank. An issue
 * in an item of a list is shown at the list, with its line.
 */
function problemsByRule(
  rules: readonly RuleTexts[],
  { fields }: Pick<Problem, 'fields'>,
): Map<RuleTexts, Record<string, string>> {
  const validated = rules.filter((texts) => !isBlank(texts));
  const problems = new Map<RuleTexts, Record<string, string>>();
  for (const [issue, message] of Object.entries(fields)) {
    if (!issue.startsWith(`${PATH}.`)) continue;
    const [index = '', field = 'paths', ...rest] = issue.slice(PATH.length + 1).split('.');
    const texts = validated[Number(index)];
    if (texts === undefined) continue;
    const place = rest.length === 0 ? '' : describePlace(texts[field], rest.join('.'));
    const said = place === '' ? message : place + lowerFirst(message);
    problems.set(texts, { [field]: said, ...problems.get(texts) });
  }
  return problems;
}

/** Set in a form whose rules were arranged but not yet saved. */
const UNSAVED = `${PATH}.unsaved`;

/** The rule that was just added or moved. It is shown open. */
const ARRANGED = 'arranged';

export type AboutRules = {
  settingsPath: string;
  mayEdit: boolean;
  /** Selectors of rules that matched nothing in the latest run. */
  unmatched: readonly string[];
};

function listUnmatched(texts: RuleTexts, unmatched: readonly string[]): string | null {
  const own = SELECTOR_LISTS.flatMap((name) => splitLines(texts[name]));
  const found = unmatched.filter((selector) => own.includes(selector));
  return found.length === 0 ? null : found.join(', ');
}

function trialFields(viewports: string[], problem: Problem | null) {
  const options = viewports.map((name) => ({ value: name, label: name }));
  const attributes = { maxlength: 2000, autocomplete: 'off', spellcheck: 'false' };
  const path = { name: 'trialPath', label: 'Path', value: '/', attributes };
  const viewport = { name: 'trialViewport', label: 'Viewport', type: 'select' as const, options };
  return { path: buildField(path, problem), viewport: buildField(viewport, problem) };
}

/** The list of rules: as stored or, after a rejection or rearrangement, as typed. */
export function rulesEditor(
  { rules, viewports }: Pick<SuiteConfig, 'rules' | 'viewports'>,
  problem: Problem | null,
  { settingsPath, mayEdit, unmatched }: AboutRules,
) {
  const all = problem === null ? rules.map(toTexts) : typedRules(problem.typed);
  const problems = problemsByRule(all, problem ?? { fields: {} });
  const names = viewports.map(({ name }) => name);
  return {
    error: problem?.fields[PATH] ?? null,
    isUnsaved: problem !== null && UNSAVED in problem.typed,
    action: `${settingsPath}/rules`,
    rows: all.map((texts, index) => {
      const row = `${PATH}.${index}`;
      const errors = problems.get(texts) ?? {};
      const isArranged = ARRANGED in texts;
      return {
        number: index + 1,
        summary: describeRule(texts),
        open: isArranged || Object.keys(errors).length > 0,
        focus: isArranged,
        fields: ruleFields(row, texts, errors),
        viewports: { boxes: viewportBoxes(row, texts, names), error: errors['viewports'] ?? null },
        unmatched: listUnmatched(texts, unmatched),
        up: index === 0 ? null : `up ${index}`,
        down: index === all.length - 1 ? null : `down ${index}`,
        remove: `remove ${index}`,
      };
    }),
    mayEdit,
    mayAdd: mayEdit && all.length < RULES_MAX,
    trial: mayEdit ? { action: `${settingsPath}/try`, ...trialFields(names, problem) } : null,
  };
}

/** The rules of a form as in the configuration, before validation. Null when there are none. */
export function readRules(typed: Typed): unknown {
  const rules = typedRules(typed).filter((texts) => !isBlank(texts));
  return rules.length === 0 ? null : rules.map(readRule);
}

const moved = (rules: RuleTexts[], from: number, to: number): RuleTexts[] => {
  const rule = rules[from];
  if (rule === undefined || to < 0 || to >= rules.length) return rules;
  return rules.toSpliced(from, 1).toSpliced(to, 0, { ...rule, [ARRANGED]: 'on' });
};

function rearrange(rules: RuleTexts[], what: string): RuleTexts[] {
  const [verb, number] = what.split(' ');
  const index = Number(number);
  switch (verb) {
    case 'add':
      return [...rules, { [ARRANGED]: 'on' }];
    case 'up':
      return moved(rules, index, index - 1);
    case 'down':
      return moved(rules, index, index + 1);
    case 'remove':
      return rules.toSpliced(index, 1);
    default:
      return rules;
  }
}

/** The form after a rule was added, moved or removed, by what the button sent. Nothing is saved. */
export function arrangeRules(typed: Typed, what: string): Typed {
  return { ...withRules(typed, rearrange(typedRules(typed), what)), [UNSAVED]: 'on' };
}
