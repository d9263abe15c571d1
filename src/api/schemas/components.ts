import type { z } from 'zod';

const byId = new Map<string, z.ZodType>();

/**
 * Gives a schema its name under `components` of the OpenAPI document; what has none is written out where it is used. Not
 * by zod's global registry: that takes two schemas of one name without a word.
 */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  if (byId.has(id)) throw new Error(`Two schemas are named ${id}`);
  byId.set(id, schema);
  return schema;
}

export function namedSchemas(): ReadonlyMap<string, z.ZodType> {
  return byId;
}
