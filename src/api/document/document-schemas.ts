import { z } from 'zod';
import { namedSchemas } from '../suite-schemas.ts';

const JsonObject = z.record(z.string(), z.unknown());
export type JsonSchema = z.infer<typeof JsonObject>;

/** Request schemas describe what is accepted before parsing. Response schemas describe what is sent. */
type Direction = 'input' | 'output';

const schemaReference = (id: string) => `#/components/schemas/${id}`;

/** Removes the schema's own identity. In the document, a schema is identified by where it is. */
function withoutIdentity(schema: object): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'));
}

/** Gives every schema an id, even those without a name, so that references between schemas become `$ref`s. */
function jsonSchemas(schemas: ReadonlyMap<string, z.ZodType>, io: Direction): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of schemas) registry.add(schema, { id });
  // A Date, which responses are made from, has no JSON Schema.
  const made = z.toJSONSchema(registry, { uri: schemaReference, io, unrepresentable: 'any' });
  return Object.fromEntries(Object.entries(made.schemas).map(([id, schema]) => [id, withoutIdentity(schema)]));
}

/**
 * The `components.schemas` of the document. Schemas named `…Input` occur only in requests. The others occur in
 * responses, or are the same in both directions.
 */
export function componentSchemas(): Record<string, JsonSchema> {
  const inputs = jsonSchemas(namedSchemas(), 'input');
  const outputs = jsonSchemas(namedSchemas(), 'output');
  return Object.fromEntries(
    [...namedSchemas().keys()].sort().map((id) => [id, (id.endsWith('Input') ? inputs[id] : outputs[id]) ?? {}]),
  );
}

/** Where zod puts the named schemas that another one uses. */
const DEFINITION = /"#\/\$defs\/([^"]+)"/g;

/** The descriptions of the schemas, with their names if they have one. */
function describedSchemas(): z.core.$ZodRegistry<{ id?: string }> {
  const names = new Map([...namedSchemas()].map(([id, schema]) => [schema, id]));
  const get = (schema: z.core.$ZodType) => {
    const id = schema instanceof z.ZodType ? names.get(schema) : undefined;
    return { ...z.globalRegistry.get(schema), ...(id === undefined ? {} : { id }) };
  };
  return Object.assign(z.registry<{ id?: string }>(), { get });
}

/** A schema as it appears in an operation: a reference if the schema has a name, otherwise the schema itself. */
export function schemaInPlace(schema: z.ZodType, io: Direction): JsonSchema {
  for (const [id, candidate] of namedSchemas()) if (candidate === schema) return { $ref: schemaReference(id) };
  const { $defs: _, ...made } = z.toJSONSchema(schema, { metadata: describedSchemas(), io });
  const text = JSON.stringify(withoutIdentity(made));
  return JsonObject.parse(JSON.parse(text.replace(DEFINITION, (_all, id: string) => `"${schemaReference(id)}"`)));
}
