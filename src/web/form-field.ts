import type { Problem } from './problem.ts';

export type FieldSpec = {
  label: string;
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date' | 'search' | 'textarea' | 'checkbox' | 'select';
  /** The initial value. */
  value?: string | number | null;
  /** For check boxes. */
  checked?: boolean;
  /** For selects. */
  options?: { value: string; label: string }[];
  note?: string;
  required?: boolean;
  autofocus?: boolean;
  /** The path of the domain's issue, if it differs from the field's name. */
  issue?: string;
  /** `autocomplete`, `min`, `max`, `step`, `maxlength`, `inputmode`, `placeholder`, `rows`, `spellcheck`, … */
  attributes?: Record<string, string | number>;
};

export type NamedFieldSpec = FieldSpec & { name: string };

/** The options of a select, by their values. */
export const toOptions = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** What the partial `field` prints: a label, its control, its problem and a note. */
export type Field = ReturnType<typeof buildField>;

/** Unique on the page. */
const fieldId = (name: string) => `field-${name.replaceAll(/[^A-Za-z0-9-]/g, '-')}`;

/** A control with its initial value or, after a rejection, with the typed value and its problem. */
export function buildField(spec: NamedFieldSpec, problem: Problem | null) {
  const { name, type = 'text' } = spec;
  const fresh = spec.value === undefined || spec.value === null ? '' : String(spec.value);
  const value = problem === null ? fresh : (problem.typed[name] ?? '');
  const shown = type === 'password' ? '' : value;
  return {
    name,
    id: fieldId(name),
    label: spec.label,
    type,
    value: shown,
    checked: problem === null ? (spec.checked ?? false) : name in problem.typed,
    options: (spec.options ?? []).map((option) => ({ ...option, selected: option.value === shown })),
    error: problem?.fields[spec.issue ?? name] ?? null,
    note: spec.note ?? null,
    required: spec.required ?? false,
    autofocus: spec.autofocus ?? false,
    attributes: Object.entries(spec.attributes ?? {}).map(([attribute, text]) => ({
      name: attribute,
      value: String(text),
    })),
  };
}

const PARTIALS: Partial<Record<NonNullable<FieldSpec['type']>, string>> = {
  select: 'partials/field-select',
  checkbox: 'partials/field-checkbox',
  textarea: 'partials/field-textarea',
};

/** A control with the partial that prints it, for lists of different ones. */
export const buildControl = (spec: NamedFieldSpec, problem: Problem | null) => ({
  partial: PARTIALS[spec.type ?? 'text'] ?? 'partials/field',
  model: buildField(spec, problem),
});

/** A form's controls by name. */
export function buildFields<N extends string>(specs: Record<N, FieldSpec>, problem: Problem | null): Record<N, Field>;
export function buildFields(specs: Record<string, FieldSpec>, problem: Problem | null): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, buildField({ ...spec, name }, problem)]),
  );
}

type Details = { small?: boolean; button?: string; fields?: { name: string; value: string }[] };

/**
 * What the partial `confirm` prints: a form with one button that asks first.
 * @param details `button`: what the second button says, otherwise the same as the first. `fields`: hidden values
 */
export const asking = (label: string, question: string, action: string, details: Details = {}) => ({
  label,
  small: false,
  question,
  button: label,
  action,
  fields: [],
  ...details,
});
