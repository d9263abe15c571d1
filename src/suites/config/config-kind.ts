import { z } from 'zod';
import { formatCount, formatNumber } from '../../text/format.ts';

/** How a person sets a value. It knows no HTML: the settings page has an element for each kind. */
export type Control =
  | { kind: 'number'; min: number; max: number; whole: boolean }
  | { kind: 'choice'; options: readonly { value: string; label: string }[] }
  | { kind: 'switch' }
  | { kind: 'line'; maxLength: number; pattern: string }
  /** One line of text whose format the browser can't check. */
  | { kind: 'term'; maxLength: number; example: string }
  | { kind: 'text'; placeholder: string }
  /** A list of texts, one on each line. */
  | { kind: 'lines'; least: number; most: number; placeholder: string }
  | { kind: 'editor'; editor: 'viewports' | 'clock' | 'rules' | 'preview' | 'autoTrack' };

/** A kind of value. `T` is the value that a run uses, `I` is what may be set. They differ if parts may be left out. */
export type Kind<T, I = T> = {
  value: z.ZodType<T>;
  input: z.ZodType<I>;
  complete(set: I): T;
  control: Control;
  /** The bounds as part of a sentence: `1 to 10,000 pages`. Empty if the control shows them. */
  bounds: string;
  /** A value for people. */
  show(value: T): string;
};

type Bounds = readonly [low: number, high: number];

const between = ([low, high]: Bounds, unit = '') =>
  `${formatNumber(low)} to ${formatNumber(high)}${/^\w/.test(unit) ? ' ' : ''}${unit}`;

const simple = <T>(schema: z.ZodType<T>, rest: Pick<Kind<T>, 'control' | 'bounds' | 'show'>): Kind<T> => ({
  value: schema,
  input: schema,
  complete: (set) => set,
  ...rest,
});

function numberWithin(bounds: Bounds, unit: string, whole: boolean): Kind<number> {
  const [min, max] = bounds;
  const message = `must be a ${whole ? 'whole number' : 'number'} from ${between(bounds)}`;
  const schema = whole ? z.int(message) : z.number(message);
  return simple(schema.min(min, message).max(max, message), {
    control: { kind: 'number', min, max, whole },
    bounds: between(bounds, unit),
    show: (value) => formatNumber(value),
  });
}

export const wholeNumber = (bounds: Bounds, unit = ''): Kind<number> => numberWithin(bounds, unit, true);

export const decimal = (bounds: Bounds, unit = ''): Kind<number> => numberWithin(bounds, unit, false);

/** The options in the order in which they are offered, each with its label. */
export function choice<const V extends string>(options: readonly (readonly [value: V, label: string])[]): Kind<V> {
  const labels = new Map<string, string>(options);
  return simple<V>(z.enum(options.map(([value]) => value)), {
    control: { kind: 'choice', options: options.map(([value, label]) => ({ value, label })) },
    bounds: '',
    show: (value) => labels.get(value) ?? value,
  });
}

export function yesOrNo(): Kind<boolean> {
  return simple(z.boolean(), { control: { kind: 'switch' }, bounds: '', show: (value) => (value ? 'yes' : 'no') });
}

/** One line of text. `characters` is the inside of a character class, `rule` says the same in words. */
export function line(characters: string, maxLength: number, rule: string): Kind<string> {
  const bounds = `1 to ${formatNumber(maxLength)} ${rule}`;
  return simple(z.string().regex(new RegExp(`^[${characters}]{1,${maxLength}}$`), `must be ${bounds}`), {
    control: { kind: 'line', maxLength, pattern: `[${characters}]+` },
    bounds,
    show: (value) => value,
  });
}

/** Lines of text. */
export function text(maxKiB: number, placeholder: string): Kind<string> {
  const bounds = `at most ${maxKiB} KiB`;
  return simple(
    z.string().refine((value) => Buffer.byteLength(value) <= maxKiB * 1024, `must be ${bounds}`),
    { control: { kind: 'text', placeholder }, bounds, show: (value) => (value === '' ? 'none' : value) },
  );
}

/** One line of text that `isValid` accepts. `rule` says what it has to be: `an IANA time zone`. */
export function term(
  isValid: (value: string) => boolean,
  { maxLength, rule, example }: { maxLength: number; rule: string; example: string },
): Kind<string> {
  const valid = z
    .string(`must be ${rule}`)
    .max(maxLength, `must be ${rule}`)
    .refine(isValid, `must be ${rule}, such as ${example}`);
  return simple(valid, {
    control: { kind: 'term', maxLength, example },
    bounds: rule,
    show: (value) => value,
  });
}

/** A list of texts, for a form one on each line. */
export function lines(
  schema: z.ZodType<string[]>,
  about: { most: number; noun: string; placeholder: string },
): Kind<string[]> {
  return simple(schema, {
    control: { kind: 'lines', least: 0, most: about.most, placeholder: about.placeholder },
    bounds: `at most ${formatCount(about.most, about.noun)}`,
    show: (value) => (value.length === 0 ? 'none' : value.join(', ')),
  });
}

/** The same with at least one, or null for what `unset` says: in a form, no line. */
export function optionalLines(
  schema: z.ZodType<string[]>,
  about: { most: number; noun: string; placeholder: string },
  unset: string,
): Kind<string[] | null> {
  const all = lines(schema, about);
  const some = schema.refine((values) => values.length > 0, `must have at least one ${about.noun}`);
  return simple(some.nullable(), {
    control: { kind: 'lines', least: 1, most: about.most, placeholder: about.placeholder },
    bounds: all.bounds,
    show: (value) => (value === null ? unset : all.show(value)),
  });
}

/** A value of several parts, with an editor of its own. */
export function structured<T>(
  schema: z.ZodType<T>,
  about: { editor: Extract<Control, { kind: 'editor' }>['editor']; bounds: string; show: (value: T) => string },
): Kind<T> {
  return simple(schema, { control: { kind: 'editor', editor: about.editor }, bounds: about.bounds, show: about.show });
}
