import { z } from 'zod';
import { SUITE_ROLES } from '../../access/role.ts';

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

/** A moment that is kept as text. */
export const IsoText = named(
  'ISODateString',
  z.string().meta({ format: 'date-time', description: 'An ISO-8601 timestamp' }),
);

export const IsoDate = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(IsoText);

export const PublicId = z.string().meta({ format: 'uuid' });

/** The fields of every stored record. */
export const recordFields = { id: PublicId, createdAt: IsoDate, updatedAt: IsoDate };

export const SuiteRole = named('SuiteRole', z.enum(SUITE_ROLES));

export const UserSummary = namedObject('UserSummary', {
  id: PublicId,
  name: z.string().nullable(),
  email: z.string().nullable(),
  image: z.string().nullable(),
});

/** Where more of the API is. */
export const Address = z.string().meta({ format: 'uri' });

/** The name of a stored image, which is sent as a URL that a browser can open. */
export const ImageUrl = z.string().meta({ format: 'uri' });

/** A number in a query, by its digits. */
export const wholeNumber = (least: number, most: number) =>
  z.coerce.number('must be a whole number').int('must be a whole number').min(least).max(most);

/** The position of an item in a list that is ordered by creation time; see `ListBounds`. */
export const TimePlace = z.tuple([z.string(), z.guid()]);

export const MessageResponse = namedObject('MessageResponse', { message: z.string() });

export const ApiError = namedObject('ApiError', {
  error: z.string().describe('A sentence for people'),
  details: z
    .looseObject({
      code: z.string().describe('A stable snake_case code for programs'),
      issues: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .optional()
        .describe('Present when validation failed: which fields, and why'),
    })
    .describe('`code`, and more fields for some codes'),
});

export const Pagination = namedObject('Pagination', {
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
});

export const RunAccepted = { message: z.string(), testRunId: PublicId };
