import { z } from 'zod';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { Cookies } from '../http/cookies.ts';
import type { Endpoint, Incoming, Parsed, PartSchema } from '../http/endpoint.ts';
import { parsePart, signedIn } from '../http/endpoint.ts';

/** What the OpenAPI document says about an operation, and what the router needs to know. */
export type Description = Pick<Endpoint, 'rateLimit' | 'suiteToken' | 'upload'> & {
  /** The `operationId` in the OpenAPI document, which becomes the method name in generated clients. */
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  status: 200 | 201 | 202 | 302;
  /**
   * Failures in addition to those that every operation of this kind has (401, 400, 404, …). Maps the status to the
   * reason.
   */
  failures?: Partial<Record<401 | 403 | 404 | 409 | 413 | 422, string>>;
  /** The body may be omitted. It then counts as `{}`. */
  bodyOptional?: true;
  /** The operation signs the browser in, so its response has a `Set-Cookie` header. */
  setsCookie?: true;
  /** `handle` returns a `ListPart`: the body is its items, and the `Link` header leads to the next part. */
  isList?: true;
};

/** A part of a list. `next`: the cursor of the next part; null at the end. */
export type ListPart<T> = { items: T; next: string | null };

type Schemas<P extends PartSchema, Q extends PartSchema, B extends PartSchema> = { params?: P; query?: Q; body?: B };

/** What a handler receives. The input has been parsed. */
type ApiRequest<P extends PartSchema, Q extends PartSchema, B extends PartSchema, V> = {
  viewer: V;
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
  cookies: Cookies;
};

/** An operation as the router and the document see it, without its type parameters. */
export type Operation = Description &
  Schemas<PartSchema, PartSchema, PartSchema> &
  Pick<Endpoint, 'access'> & {
    response: z.ZodType;
    handle(ctx: Context, incoming: Incoming): Promise<unknown>;
  };

function parseRequest<P extends PartSchema, Q extends PartSchema, B extends PartSchema, V>(
  { params, query, body }: Schemas<P, Q, B>,
  incoming: Incoming,
  viewer: V,
): ApiRequest<P, Q, B, V> {
  return {
    viewer,
    params: parsePart(params, incoming.params),
    query: parsePart(query, incoming.query),
    body: parsePart(body, incoming.body ?? {}),
    cookies: incoming.cookies,
  };
}

/** Makes the operations of one kind of caller, whose handlers receive what `readViewer` returns. */
function operationFor<V>(access: Operation['access'], readViewer: (incoming: Incoming) => V) {
  return <
    R extends z.ZodType,
    P extends PartSchema = undefined,
    Q extends PartSchema = undefined,
    B extends PartSchema = undefined,
  >(
    spec: Description & Schemas<P, Q, B> & { response: R },
    handler: (ctx: Context, request: ApiRequest<P, Q, B, V>) => Promise<z.output<R>>,
  ): Operation => ({
    ...spec,
    access,
    handle: async (ctx, incoming) => handler(ctx, parseRequest(spec, incoming, readViewer(incoming))),
  });
}

/** An operation for signed-in callers: without a valid token it answers 401 before anything is parsed. */
export const route = operationFor<Viewer>('viewer', signedIn);

/** The same for a list in parts. Its query has a `cursor`. */
export function listRoute<R extends z.ZodType, P extends PartSchema, Q extends PartSchema>(
  spec: Description & Schemas<P, Q, undefined> & { response: R },
  handler: (ctx: Context, request: ApiRequest<P, Q, undefined, Viewer>) => Promise<ListPart<z.output<R>>>,
): Operation {
  return {
    ...spec,
    isList: true,
    access: 'viewer',
    handle: async (ctx, incoming) => handler(ctx, parseRequest(spec, incoming, signedIn(incoming))),
  };
}

/** An operation whose body is a file: it gets the stream. */
export function uploadRoute<R extends z.ZodType, P extends PartSchema, Q extends PartSchema>(
  spec: Description & Schemas<P, Q, undefined> & { response: R },
  handler: (
    ctx: Context,
    request: ApiRequest<P, Q, undefined, Viewer> & Pick<Incoming, 'upload'>,
  ) => Promise<z.output<R>>,
): Operation {
  return {
    ...spec,
    upload: true,
    access: 'viewer',
    handle: async (ctx, incoming) =>
      handler(ctx, { ...parseRequest(spec, incoming, signedIn(incoming)), upload: incoming.upload }),
  };
}

/** An operation for anyone. */
export const publicRoute = operationFor('anyone', () => null);

const optionalRoute = operationFor('optional', ({ viewer }) => viewer);

/** An operation for anyone. It redirects the browser to the URL that its handler returns. */
export function redirectRoute<P extends PartSchema = undefined, Q extends PartSchema = undefined>(
  spec: Omit<Description, 'status'> & Pick<Schemas<P, Q, undefined>, 'params' | 'query'>,
  handler: (ctx: Context, request: ApiRequest<P, Q, undefined, Viewer | null>) => Promise<string>,
): Operation {
  return optionalRoute({ ...spec, status: 302, response: z.url() }, handler);
}
