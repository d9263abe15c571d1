import { z } from 'zod';

const byId = new Map<string, z.ZodType>();

/**
 * Gives a schema its name under `components` in the OpenAPI document. Schemas without a name are written out where they
 * are used. This does not use zod's global registry, because that accepts two schemas with the same name without an
 * error.
 */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  if (byId.has(id)) throw new Error(`Two schemas are named ${id}`);
  byId.set(id, schema);
  return schema;
}

export const namedObject = <S extends z.core.$ZodLooseShape>(id: string, shape: S) => named(id, z.object(shape));

export function namedSchemas(): ReadonlyMap<string, z.ZodType> {
  return byId;
}
