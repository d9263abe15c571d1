import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Permission } from '../access/role.ts';
import type { TokenScope, Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { forbidden, invalid, type Issue } from '../errors.ts';
import { isBadText } from '../text/bad-text.ts';
import { inputWords } from '../text/input-words.ts';
import type { Cookies } from './cookies.ts';
import type { LimitedOperation } from './rate-limit.ts';

/** What the route tables of the API and of the web pages have in common. */
export type Endpoint = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Express's path template. Also used as the label in the metrics. */
  path: string;
  /**
   * `viewer`: signed-in people only. `optional`: anyone, with a viewer if signed in. `anyone`: no viewer is looked
   * up.
   */
  access: 'viewer' | 'optional' | 'anyone';
  rateLimit?: LimitedOperation;
  /** What the viewer must be allowed to do with the suite that it acts on; see `acts-on.ts`. */
  permission?: Permission;
  /**
   * The scope with which a suite's token may call it. Missing: no such token may. It must load the suite with
   * `getSuiteFor`, which checks the scope.
   */
  suiteToken?: TokenScope;
  /** It reads the body itself, whatever its type. */
  upload?: true;
  /** It waits for something to happen, and meanwhile takes no place among the reads. */
  waits?: true;
};

/** A request before its input is parsed. */
export type Incoming = {
  /** Never null if the endpoint's access is `viewer`. Always null if it is `anyone`. */
  viewer: Viewer | null;
  params: unknown;
  query: unknown;
  body: unknown;
  cookies: Cookies;
  /** The body of an endpoint with `upload`, and its size in bytes, if the client sends it. */
  upload: { stream: Readable; length: number | null };
  /** Aborted when the client leaves before it has its answer. */
  gone: AbortSignal;
};

/** The schema of a part of the input. Without one, that part is not read. */
export type PartSchema = z.ZodType | undefined;

export type Parsed<S extends PartSchema> = S extends z.ZodType ? z.output<S> : undefined;

/**
 * Parses params, query or body once, at the edge. Drops fields that the schema does not define.
 * @param words messages for fields whose schema has none of its own
 * @throws ZodError, AppError invalid: both become a 400 that names each field.
 */
export function parsePart<S extends PartSchema>(
  schema: S | undefined,
  value: unknown,
  words?: z.core.$ZodErrorMap,
): Parsed<S>;
export function parsePart(schema: PartSchema, value: unknown, words = inputWords): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.parse(value, { error: words });
  const issues = badTexts(parsed, '');
  if (issues.length > 0) throw invalid('The request is not valid', issues);
  return parsed;
}

/** Finds what the endpoint acts on, and authorizes the viewer for it, once the input has been parsed. */
export type Load<P extends PartSchema, V, L> = { load?: (ctx: Context, viewer: V, params: Parsed<P>) => Promise<L> };

/** What a handler receives, with what `load` returned. */
export async function loadFor<P extends PartSchema, V, L, T extends { viewer: V; params: Parsed<P> }>(
  spec: Load<P, V, L>,
  ctx: Context,
  request: T,
): Promise<T & L>;
export async function loadFor<P extends PartSchema, V>(
  { load }: Load<P, V, object>,
  ctx: Context,
  request: { viewer: V; params: Parsed<P> },
): Promise<object> {
  return load === undefined ? request : { ...request, ...(await load(ctx, request.viewer, request.params)) };
}

const BAD_TEXT = 'must not contain NUL or an unpaired surrogate';

/** PostgreSQL can't store these in text or jsonb. The input has passed its schema, so it is never nested deeply. */
function badTexts(value: unknown, path: string): Issue[] {
  if (typeof value === 'string') {
    return isBadText(value) ? [{ path, message: BAD_TEXT }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => badTexts(part, path === '' ? key : `${path}.${key}`));
}

/** @throws AppError forbidden, for a suite's token where it may do nothing. */
export function requireOpenToToken({ suiteToken }: Pick<Endpoint, 'suiteToken'>, viewer: Viewer | null): void {
  if (viewer?.within === undefined || suiteToken !== undefined) return;
  throw forbidden('A suite token cannot do this', 'token_scope');
}

/** The viewer of an endpoint whose access is `viewer`. */
export function signedIn({ viewer }: Pick<Incoming, 'viewer'>): Viewer {
  if (viewer === null) throw new Error('An endpoint for signed-in callers was called without one');
  return viewer;
}
