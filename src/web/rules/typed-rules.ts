import type { Problem, Typed } from '../problem.ts';
import { isBlank, numberedLines, type RuleTexts } from './rule-text.ts';

/** More than a configuration may have, so that the error message can state the maximum. */
const MOST_RULES = 200;

/** The rules of a form that was sent, in order. Their fields are named `config.rules.3.hide`. */
export function typedRules(path: string, typed: Typed): RuleTexts[] {
  const rules = new Map<number, Record<string, string>>();
  for (const [name, text] of Object.entries(typed)) {
    const [, number, field] = name.startsWith(`${path}.`)
      ? (/^(\d+)\.(.+)$/s.exec(name.slice(path.length + 1)) ?? [])
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
export function withRules(path: string, typed: Typed, rules: readonly RuleTexts[]): Typed {
  const others = Object.entries(typed).filter(([name]) => !name.startsWith(`${path}.`));
  const fields = rules.flatMap((texts, index) =>
    Object.entries(texts).map(([name, text]) => [`${path}.${index}.${name}`, text]),
  );
  return Object.fromEntries([...others, ...fields]);
}

/** `1.selector` in a list of lines: the line, and which part of it. */
function describePlace(text: string | undefined, rest: string): string {
  const [index = '', part] = rest.split('.');
  const line = numberedLines(text ?? '')[Number(index)];
  if (line === undefined) return '';
  return part === undefined || part === 'selector' || part === 'type'
    ? `Line ${line.number}: `
    : `Line ${line.number}, ${part}: `;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * What is wrong with each rule, by the names of its fields. The validation only sees rules that are not blank. An issue
 * in an item of a list is shown at the list, with its line.
 */
export function problemsByRule(
  path: string,
  rules: readonly RuleTexts[],
  { fields }: Pick<Problem, 'fields'>,
): Map<RuleTexts, Record<string, string>> {
  const validated = rules.filter((texts) => !isBlank(texts));
  const problems = new Map<RuleTexts, Record<string, string>>();
  for (const [issue, message] of Object.entries(fields)) {
    if (!issue.startsWith(`${path}.`)) continue;
    const [index = '', field = 'paths', ...rest] = issue.slice(path.length + 1).split('.');
    const texts = validated[Number(index)];
    if (texts === undefined) continue;
    const place = rest.length === 0 ? '' : describePlace(texts[field], rest.join('.'));
    const said = place === '' ? message : place + lowerFirst(message);
    problems.set(texts, { [field]: said, ...problems.get(texts) });
  }
  return problems;
}
