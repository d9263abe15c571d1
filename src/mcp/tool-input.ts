import { z } from 'zod';
import { invalid } from '../errors.ts';
import type { Tool } from './tools.ts';

type Place = 'params' | 'query' | 'body';
const PLACES: readonly Place[] = ['params', 'query', 'body'];

const Arguments = z.record(z.string(), z.unknown());

function shapeOf(tool: Tool, place: Place): z.core.$ZodShape {
  const schema = tool.route[place];
  return schema instanceof z.ZodObject ? schema.shape : {};
}

const CURSOR = '`nextCursor` of the previous part. Keep the other arguments unchanged.';

/** The parameters of the operation that the tool has, as JSON Schema: a part of what the API's document says. */
export function describeInput(tool: Tool): Record<string, unknown> & { type: 'object' } {
  const shapes = PLACES.flatMap((place) => Object.entries(shapeOf(tool, place)));
  const taken = tool.takes.flatMap((name) => shapes.filter(([each]) => each === name));
  const schema = z.strictObject(Object.fromEntries(taken));
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    reused: 'inline',
    // The API says that it is in a header, which a tool's answer does not have.
    override: ({ jsonSchema, path }) => {
      if (path.join('.') === 'properties.cursor') jsonSchema.description = CURSOR;
    },
  });
  return { ...described, type: 'object' };
}

/** A query has texts only. */
const toText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

/**
 * The arguments of a call where the operation reads them. @throws AppError invalid, for one that the tool does not have
 */
export function sortArguments(tool: Tool, given: unknown): Record<Place, Record<string, unknown>> {
  const parsed = Arguments.parse(given ?? {});
  const unknown = Object.keys(parsed).filter((name) => !tool.takes.includes(name));
  if (unknown.length > 0) {
    const issues = unknown.slice(0, 10).map((path) => ({ path, message: 'is not an argument of this tool' }));
    throw invalid('The arguments are not valid', issues);
  }
  const all = Object.entries({ ...parsed, ...tool.fixed });
  const of = (place: Place) => Object.fromEntries(all.filter(([name]) => name in shapeOf(tool, place)));
  const query = Object.entries(of('query')).map(([name, value]) => [name, toText(value)]);
  return { params: of('params'), query: Object.fromEntries(query), body: of('body') };
}
