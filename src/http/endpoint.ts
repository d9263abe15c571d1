import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Viewer } from '../auth/viewer.ts';
import type { Cookies } from './cookies.ts';
import { parseInput } from './parse-input.ts';
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
  /** Whether a suite's token may call it. It must then load the suite with `getSuiteFor`, which checks the scopes. */
  suiteToken?: true;
  /** It reads the body itself, whatever its type. */
  upload?: true;
};

/** A request before its input is parsed. */
export type Incoming = {
  /** Never null if the endpoint's access is `viewer`. Always null if it is `anyone`. */
  viewer: Viewer | null;
  params: unknown;
  query: unknown;
  body: unknown;
  cookies: Cookies;
  /** The client's. */
  address: string | null;
  /**
   * The body of an endpoint with `upload`, and its size in bytes, if the client sends it. `gone`: aborted when the
   * client leaves before it has its answer.
   */
  upload: { stream: Readable; length: number | null; gone: AbortSignal };
};

/** The schema of a part of the input. Without one, that part is not read. */
export type PartSchema = z.ZodType | undefined;

export type Parsed<S extends PartSchema> = S extends z.ZodType ? z.output<S> : undefined;

/**
 * @param words messages for fields whose schema has none of its own
 * @throws ZodError, AppError invalid: both become a 400 that names each field.
 */
export function parsePart<S extends PartSchema>(
  schema: S | undefined,
  value: unknown,
  words?: z.core.$ZodErrorMap,
): Parsed<S>;
export function parsePart(schema: PartSchema, value: unknown, words?: z.core.$ZodErrorMap): unknown {
  return schema === undefined ? undefined : parseInput(schema, value, words);
}

/** The viewer of an endpoint whose access is `viewer`. */
export function signedIn({ viewer }: Pick<Incoming, 'viewer'>): Viewer {
  if (viewer === null) throw new Error('An endpoint for signed-in callers was called without one');
  return viewer;
}
