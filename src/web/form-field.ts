import { z } from 'zod';
import { AppError, type ErrorDetails } from '../errors.ts';
import { toFailure, type Failure } from '../http/failure.ts';
import { INTEGER_MAX } from '../runs/run.ts';
import { capitalize, formatDuration } from '../text/format.ts';
import { typedNumber } from '../text/typed-number.ts';

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
 * What the partial `confirm` prints: a form whose button asks for confirmation.
 * @param details `button`: the label of the confirming button; default: that of the first. `fields`: hidden values
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

/** A form as it was sent: the typed values by field name. If a name was sent several times, this is the last value. */
export type Typed = Record<string, string>;

/** Why a form was rejected. The page shows this at the fields and keeps what was typed. */
export type Problem = {
  status: number;
  /** A sentence about the whole form, also used when no field caused the problem. */
  message: string;
  /** Maps a field's name to what is wrong with it. */
  fields: Record<string, string>;
  typed: Typed;
  /** All fields that were sent, also those that were sent several times. */
  sent?: [name: string, value: string][];
  /** `code`, and more for some codes. */
  details?: ErrorDetails;
};

/** Never sent back to the browser. */
const SECRET = /password|token|secret/i;

const FormBody = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** Without secrets. */
function readSent(body: unknown): [name: string, value: string][] {
  const parsed = FormBody.safeParse(body);
  const entries = Object.entries(parsed.success ? parsed.data : {}).filter(([name]) => !SECRET.test(name));
  return entries.flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]));
}

export const readTyped = (body: unknown): Typed => Object.fromEntries(readSent(body));

/** The values of a field that is sent any number of times. Undefined: no form was sent. */
export const sentValues = (problem: Problem | null, field: string): string[] | undefined =>
  problem?.sent?.flatMap(([name, value]) => (name === field ? [value] : []));

/** For a form that is shown again as it was typed, though nothing is wrong with it. */
export const showTyped = (typed: Typed): Problem => ({ status: 200, message: '', fields: {}, typed });

/** The problem, if it is of the form with this field. For pages with several forms. */
export const ofForm = (problem: Problem | null, field: string): Problem | null =>
  problem !== null && field in problem.typed ? problem : null;

const Issues = z.array(z.object({ path: z.string(), message: z.string() }));

function messagesByField(details: Record<string, unknown>): Record<string, string> {
  const issues = Issues.safeParse(details['issues']);
  const fields: Record<string, string> = {};
  for (const { path, message } of issues.success ? issues.data : []) fields[path] ??= capitalize(message);
  return fields;
}

/** The message for people. It says when to try again; programs read that from `Retry-After`. */
export function messageFor({ body, retryAfter }: Failure): string {
  return retryAfter === null ? body.error : `${body.error}. Try again in ${formatDuration(retryAfter, 'long')}.`;
}

/** Null when the problem was not caused by the person's input. An error page is shown instead. */
export function toProblem(error: unknown, body: unknown): Problem | null {
  if (!(error instanceof AppError) && !(error instanceof z.ZodError)) return null;
  const failure = toFailure(error);
  const { status } = failure;
  const { details } = failure.body;
  if (status === 404 || status >= 500) return null;
  const fields = messagesByField(details);
  const isOfFields = details.code === 'validation_failed' && Object.keys(fields).length > 0;
  const message = isOfFields ? 'Some fields are not valid' : messageFor(failure);
  return { status, message, fields, typed: readTyped(body), sent: readSent(body), details };
}

/** A field that may be sent any number of times, such as check boxes. Always a list. */
export const many = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : typeof value === 'string' ? [value] : value));

/** A text in a query. Undefined if it is empty, or not a text. The rest of a longer one is left out. */
export const queryText = (most: number) =>
  z
    .string()
    .transform((text) => text.trim().slice(0, most) || undefined)
    .optional()
    .catch(undefined);

export const VerdictNumber = typedNumber(0, INTEGER_MAX);

/** The number of the last verdict that the page knew, in a hidden field. */
export const SeenVerdict = VerdictNumber.optional().catch(undefined);

/** The number of a page of a list, from 1. */
export const PageNumber = typedNumber(1, 100_000).catch(1);

export const PageQuery = z.object({ page: PageNumber });
