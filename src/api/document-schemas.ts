import { z } from 'zod';
import { namedSchemas } from './schemas/components.ts';

export type JsonSchema = Record<string, unknown>;

/** What is sent is described as it may come in, what is answered as it goes out. */
type Direction = 'input' | 'output';

const schemaReference = (id: string) => `#/components/schemas/${id}`;

/** In the document a schema is known by its place. */
function withoutIdentity(schema: object): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'));
}

/** Named or not: each gets an id, so that what it refers to becomes a `$ref`. */
function jsonSchemas(schemas: ReadonlyMap<string, z.ZodType>, io: Direction): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of schemas) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, { uri: schemaReference, io });
  return Object.fromEntries(Object.entries(made.schemas).map(([id, schema]) => [id, withoutIdentity(schema)]));
}

/** `components.schemas`. Those named `…Input` are only ever sent, the others answered (or are the same both ways). */
export function componentSchemas(): Record<string, JsonSchema> {
  const inputs = jsonSchemas(namedSchemas(), 'input');
  const outputs = jsonSchemas(namedSchemas(), 'output');
  return Object.fromEntries(
    [...namedSchemas().keys()].sort().map((id) => [id, (id.endsWith('Input') ? inputs[id] : outputs[id]) ?? {}]),
  );
}

const INLINE = 'inline';

/** One schema as it stands in an operation: a reference where it has a name, else written out. */
export function schemaInPlace(schema: z.ZodType, io: Direction): JsonSchema {
  for (const [id, candidate] of namedSchemas()) if (candidate === schema) return { $ref: schemaReference(id) };
  return jsonSchemas(new Map([...namedSchemas(), [INLINE, schema]]), io)[INLINE] ?? {};
}
