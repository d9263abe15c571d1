import type { Setting } from '../../suites/config-field.ts';
import type { SuiteConfig } from '../../suites/suite-config.ts';
import type { Field } from '../form-field.ts';
import { buildField } from '../form-field.ts';
import type { Problem, Typed } from '../problem.ts';

const EXAMPLE = '[{ "paths": ["/blog/**"], "hide": [".ad"] }]';

/** The rules as JSON. */
export function rulesField(
  { path, label, description }: Setting,
  { rules }: SuiteConfig,
  problem: Problem | null,
): Field {
  const value = rules.length === 0 ? '' : JSON.stringify(rules, null, 2);
  const attributes = { rows: 8, spellcheck: 'false', placeholder: EXAMPLE };
  return buildField({ name: path, label, type: 'textarea', value, note: description, attributes }, problem);
}

/** What is not JSON stays text, which the validation refuses. */
export function readRules(path: string, typed: Typed): unknown {
  const text = (typed[path] ?? '').trim();
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
