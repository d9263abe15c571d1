import { RULE_NUMBERS } from '../../suites/config/page-rule.ts';
import { formatNumber } from '../../text/format.ts';
import { buildField, toOptions, type Field, type FieldSpec } from '../form-field.ts';
import { tickedViewports, type RuleTexts } from './rule-text.ts';

const CODE = { spellcheck: 'false', autocomplete: 'off' };

const lines = (label: string, placeholder: string, note: string, rows = 2): FieldSpec => ({
  label,
  type: 'textarea',
  note,
  attributes: { rows, placeholder, ...CODE },
});

const number = (label: string, [min, max]: readonly [number, number], step: number | 'any'): FieldSpec => ({
  label,
  type: 'number',
  note: `Instead of the setting of the suite. ${formatNumber(min)} to ${formatNumber(max)}.`,
  attributes: { min, max, step, autocomplete: 'off' },
});

const SKIP_OPTIONS = toOptions({
  '': 'Same as earlier rules',
  yes: 'Exclude these pages from runs',
  no: 'Include these pages in runs',
});

const ACTIONS_NOTE =
  'One per line: click .more, hover nav, scroll to footer, type "text" into #search, press Enter on #search, wait 500 ms. They replace the actions of earlier rules.';

/** By name, in the order in which the form shows them. */
const FIELDS = {
  paths: lines('Pages', '/blog/**', 'Globs for paths, one per line. A glob after ! excludes.'),
  hide: lines('Hide', '.ad', 'Selectors, one per line. Hidden elements keep their place.'),
  remove: lines('Remove', '.cookie-banner', 'Removed elements leave no gap.'),
  mask: lines('Cover', 'video', 'A plain box is drawn over these elements.'),
  ignore: lines(
    'Ignore',
    '#clock',
    'These elements are drawn, but neither their pixels nor their height count. What they move sideways counts: remove them instead.',
  ),
  ignoreBoxes: lines(
    'Ignore areas',
    '0 120 300 250',
    'x, y, width and height in px of the screenshot, one area per line.',
  ),
  waitFor: lines('Wait for elements', '.loaded', 'Selectors of elements that must be there before the screenshot.'),
  actions: lines('Actions', 'click .accept', ACTIONS_NOTE, 3),
  css: lines('CSS', '.hero { animation: none }', 'Added to the custom CSS of the suite.', 3),
  waitTime: number('Extra wait (ms)', RULE_NUMBERS.waitTime, 1),
  threshold: number('Color threshold', RULE_NUMBERS.threshold, 'any'),
  failureThreshold: number('Failure threshold (%)', RULE_NUMBERS.failureThreshold, 'any'),
  skip: { label: 'Skip', type: 'select', options: SKIP_OPTIONS },
} satisfies Record<string, FieldSpec>;

type FieldName = keyof typeof FIELDS;

/** @param row leads to the rule: `config.rules.3` */
export function ruleFields(row: string, texts: RuleTexts, errors: Record<string, string>): Record<FieldName, Field>;
export function ruleFields(row: string, texts: RuleTexts, errors: Record<string, string>): Record<string, Field> {
  const specs: Record<string, FieldSpec> = FIELDS;
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const field = buildField({ ...spec, name: `${row}.${name}`, value: texts[name] ?? '' }, null);
      return [name, { ...field, error: errors[name] ?? null }];
    }),
  );
}

/** A check box for each viewport of the suite, and for others that the rule names. */
export function viewportBoxes(row: string, texts: RuleTexts, viewports: readonly string[]) {
  const ticked = tickedViewports(texts);
  return [...new Set([...viewports, ...ticked])].map((name) => {
    const { id } = buildField({ name: `${row}.viewports.${name}`, label: name }, null);
    return { name: `${row}.viewports.${name}`, id, label: name, checked: ticked.includes(name) };
  });
}
