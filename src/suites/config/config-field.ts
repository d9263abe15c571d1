import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { capitalize, formatCount, formatList } from '../../text/format.ts';
import type { Control, Kind } from './config-kind.ts';

/** The parts of the settings page. */
export type ConfigSection =
  'viewports' | 'crawl' | 'capture' | 'emulation' | 'rules' | 'compare' | 'gate' | 'pace' | 'badge' | 'keep';

/** One value as a form shows it. */
export type Setting = {
  /** Leads to the value: `config.crawlOptions.timeout`. */
  path: string;
  /** Null for a part of a list, which the editor of the list shows. */
  section: ConfigSection | null;
  label: string;
  /** Whole sentences, with the bounds and the default. */
  description: string;
  control: Control;
};

export type SettingValue = Setting & { value: unknown };

/** `T` is the value that a run uses, `I` is what may be set. */
export type ConfigField<T = unknown, I = unknown> = {
  value: z.ZodType<T>;
  input: z.ZodType<I>;
  /** What was set, and the defaults of the rest. */
  complete(set: I): T;
  /** An update over what is stored: undefined leaves a value, null puts it back to its default. */
  merge(stored: I, update: I): I;
  /** With null for values that equal the default, so that they follow when the default changes. */
  withoutDefaults(set: I): I;
  /** Every setting at or below `path`, with its value; null for a form that is empty. */
  settings(path: string, value: T | null): SettingValue[];
  /** The reverse: the value that results from `read` for each setting. Not yet validated. */
  collect(path: string, read: (setting: Setting) => unknown): unknown;
};

type Fields = Record<string, ConfigField>;
type Values<F extends Fields> = { [N in keyof F]: z.output<F[N]['value']> };
type Input<F extends ConfigField> = z.output<F['input']>;
type Inputs<F extends Fields> = {
  [N in keyof F as undefined extends Input<F[N]> ? N : never]?: Input<F[N]>;
} & { [N in keyof F as undefined extends Input<F[N]> ? never : N]: Input<F[N]> };

/** A sentence, or empty. */
const describeBounds = ({ bounds }: { bounds: string }) => (bounds === '' ? '' : `${capitalize(bounds)}.`);

/**
 * A value that may be left out.
 * @param about.section null for a part of a list
 * @param about.help may be empty
 */
export function setting<T, I>(
  kind: Kind<T, I>,
  about: { section: ConfigSection | null; label: string; help: string; default: NoInfer<T> },
): ConfigField<T, I | null | undefined> {
  const { section, label, help, default: fallback } = about;
  const sentences = [help, describeBounds(kind), `Default: ${kind.show(fallback)}.`];
  const description = sentences.filter((sentence) => sentence !== '').join(' ');
  const words = { section, label, description, control: kind.control };
  const complete = (set: I | null | undefined) => (set === null || set === undefined ? fallback : kind.complete(set));
  return {
    value: kind.value.meta({ description }),
    input: kind.input.nullable().optional().meta({ description, default: fallback }),
    complete,
    merge: (stored, update) => (update === undefined ? stored : update),
    withoutDefaults: (set) => (isDeepStrictEqual(complete(set), fallback) ? null : set),
    settings: (path, value) => [{ ...words, path, value }],
    collect: (path, read) => read({ ...words, path }),
  };
}

/** A value that each item of a list must have. */
export function part<T, I>(kind: Omit<Kind<T, I>, 'show'>, label: string): ConfigField<T, I> {
  const description = describeBounds(kind);
  const words = { section: null, label, description, control: kind.control };
  return {
    value: kind.value.meta({ description }),
    input: kind.input.meta({ description }),
    complete: (set) => kind.complete(set),
    merge: (_stored, update) => update,
    withoutDefaults: (set) => set,
    settings: (path, value) => [{ ...words, path, value }],
    collect: (path, read) => read({ ...words, path }),
  };
}

/** A value that an item of a list may have. Null where it was left out. */
export function optionalPart<T, I>(kind: Kind<T, I>, label: string): ConfigField<T | null, I | null | undefined> {
  const value = kind.value.nullable();
  const input = kind.input.nullable().optional();
  const complete = (set: I | null | undefined) => (set === null || set === undefined ? null : kind.complete(set));
  return part({ ...kind, value, input, complete }, label);
}

type Group<F extends Fields> = ConfigField<Values<F>, Inputs<F> | null | undefined> & {
  fields: F;
  /** The schema of what may be set, if it may not be left out. */
  schema: z.ZodType<Inputs<F>>;
};

/**
 * Fields under one name. `strict`: a name that it does not know is refused, not ignored. The overload keeps the fields'
 * names and types, which `Object.fromEntries` loses.
 */
export function group<F extends Fields>(fields: F, strict?: boolean): Group<F>;
export function group(fields: Fields, strict = true): Group<Fields> {
  const entries = Object.entries(fields);
  const map = <R>(make: (field: ConfigField, name: string) => R): Record<string, R> =>
    Object.fromEntries(entries.map(([name, field]) => [name, make(field, name)]));
  const inputs = map((field) => field.input);
  const schema = strict ? z.strictObject(inputs) : z.object(inputs);
  return {
    fields,
    schema,
    value: z.object(map((field) => field.value)),
    input: schema.nullable().optional(),
    complete: (set) => map((field, name) => field.complete(set?.[name])),
    merge(stored, update) {
      if (update === null || update === undefined) return update === null ? null : stored;
      const changed = entries.filter(([name]) => update[name] !== undefined);
      return {
        ...stored,
        ...Object.fromEntries(changed.map(([name, field]) => [name, field.merge(stored?.[name], update[name])])),
      };
    },
    withoutDefaults: (set) => map((field, name) => field.withoutDefaults(set?.[name])),
    settings: (path, value) =>
      entries.flatMap(([name, field]) => field.settings(`${path}.${name}`, value?.[name] ?? null)),
    collect: (path, read) => map((field, name) => field.collect(`${path}.${name}`, read)),
  };
}

/** A list of groups that differ in `key`, with as many items as `range` allows. It has an editor of its own. */
export function list<F extends Fields>(
  item: Group<F>,
  about: {
    range: readonly [low: number, high: number];
    /** What an item is. */
    noun: string;
    key: keyof Inputs<F> & string;
    show: (value: Values<F>) => string;
    editor: Extract<Control, { kind: 'editor' }>['editor'];
  },
): Kind<Values<F>[], Inputs<F>[]> {
  const [least, most] = about.range;
  const bounds = `${least} to ${formatCount(most, about.noun)}`;
  const message = `must be ${bounds}`;
  const all = z.array(item.schema).min(least, message).max(most, message);
  return {
    value: z.array(item.value),
    input: all.refine(
      (items) => new Set(items.map((each) => each[about.key])).size === items.length,
      `must have a unique ${about.key} for each ${about.noun}`,
    ),
    complete: (set) => set.map((each) => item.complete(each)),
    control: { kind: 'editor', editor: about.editor },
    bounds: `${bounds} with unique ${about.key}s`,
    show: (values) => formatList(values.map(about.show)),
  };
}
