import { z } from 'zod';
import type { Config } from '../config.ts';
import { imageUrl } from '../http/image-url.ts';
import { ImageUrl, IsoText } from './suite-schemas.ts';

type Addresses = Pick<Config, 'cdnBaseUrl' | 'publicUrl'>;
type Show = (value: unknown, config: Addresses) => unknown;

/** Kinds of schemas without parts. */
const PLAIN = ['string', 'number', 'boolean', 'enum', 'literal', 'unknown'];

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function showRecord(each: Show): Show {
  return (value, config) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, each(part, config)]))
      : value;
}

function showFields(shape: z.core.$ZodShape): Show {
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, show: showBy(schema) }));
  return (value, config) => {
    if (!isRecord(value)) return value;
    const shown: Record<string, unknown> = {};
    for (const { name, show } of fields) shown[name] = show(value[name], config);
    return shown;
  };
}

function showBy(schema: z.core.$ZodType): Show {
  if (schema === ImageUrl) return (name, config) => (typeof name === 'string' ? imageUrl(config, name) : name);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return showBy(schema.unwrap());
  if (schema instanceof z.ZodObject) return showFields(schema.shape);
  if (schema instanceof z.ZodRecord) return showRecord(showBy(schema.valueType));
  if (schema instanceof z.ZodPipe && schema.out === IsoText)
    return (value) => (value instanceof Date ? value.toISOString() : value);
  if (schema instanceof z.ZodUnion) return (value) => schema.safeParse(value).data;
  if (schema instanceof z.ZodArray) {
    const each = showBy(schema.element);
    return (value, config) => (Array.isArray(value) ? value.map((item: unknown) => each(item, config)) : value);
  }
  if (PLAIN.includes(schema._zod.def.type)) return (value) => value;
  throw new Error(`Nothing says how to send a ${schema._zod.def.type}`);
}

/**
 * Sends what the documentation of a response names: each field of an object that its schema has, and no other. The names
 * of stored images become their URLs. Nothing is checked here; the compiler has done that.
 */
export function presenter<S extends z.ZodType>(schema: S): (answer: z.input<S>, config: Addresses) => unknown {
  return showBy(schema);
}
