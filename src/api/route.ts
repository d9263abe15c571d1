import { z } from 'zod';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { LimitedOperation } from '../http/rate-limit.ts';
import { parseInput } from '../http/parse-input.ts';

/** What the document says of an operation, and what the router must know. */
export type Description = {
  /** `operationId` of the document: the name of the method in a generated client. */
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  status: 200 | 201 | 202 | 302;
  /** Failures beyond those that its kind brings along (401, 400, 404, …): status to the reason. */
  failures?: Partial<Record<401 | 403 | 404 | 409 | 422, string>>;
  /** A body may be left out; no body is taken as `{}`. */
  bodyOptional?: true;
  rateLimit?: LimitedOperation;
};

type Shapes<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  params?: P;
  query?: Q;
  body?: B;
  response: R;
};

/** The browser's copy of the session token. */
export type SessionCookie = { set(token: string): void; clear(): void };

/** What the browser keeps while it is away to sign in elsewhere. */
export type SignInCookie = { read(): string | null; set(value: string): void; clear(): void };

type Cookies = { cookie: SessionCookie; signInCookie: SignInCookie };

type Parsed<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
} & Cookies;

/** A request before any of it has been parsed. */
type Incoming = { params: unknown; query: unknown; body: unknown } & Cookies;

/** An operation as the router and the document see it: the types are settled inside. */
export type Operation = Description &
  Shapes<z.ZodType, z.ZodType, z.ZodType, z.ZodType> & { auth: 'none' | 'optional' | 'viewer' } & {
    /** @param viewer never null where `auth` is `viewer`, always where it is `none` */
    handle(ctx: Context, viewer: Viewer | null, incoming: Incoming): Promise<unknown>;
  };

/** Where an operation names no schema, its handler sees `unknown` and can make nothing of it. */
const UNNAMED = z.any();

function parsed<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  { params, query, body }: Shapes<P, Q, B, R>,
  incoming: Incoming,
): Parsed<P, Q, B> {
  return {
    params: params === undefined ? UNNAMED.parse(undefined) : parseInput(params, incoming.params),
    query: query === undefined ? UNNAMED.parse(undefined) : parseInput(query, incoming.query),
    body: body === undefined ? UNNAMED.parse(undefined) : parseInput(body, incoming.body ?? {}),
    cookie: incoming.cookie,
    signInCookie: incoming.signInCookie,
  };
}

/** An operation for signed-in callers: without a valid token it answers 401 before anything is parsed. */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  spec: Description & Shapes<P, Q, B, R>,
  handler: (ctx: Context, call: Parsed<P, Q, B> & { viewer: Viewer }) => Promise<z.output<R>>,
): Operation {
  return {
    ...spec,
    auth: 'viewer',
    async handle(ctx, viewer, incoming) {
      if (viewer === null) throw new Error('An operation for signed-in callers was called without one');
      return handler(ctx, { viewer, ...parsed(spec, incoming) });
    },
  };
}

/** An operation for anyone. */
export function publicRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  spec: Description & Shapes<P, Q, B, R>,
  handler: (ctx: Context, call: Parsed<P, Q, B>) => Promise<z.output<R>>,
): Operation {
  return { ...spec, auth: 'none', handle: async (ctx, _viewer, incoming) => handler(ctx, parsed(spec, incoming)) };
}

/** An operation for anyone, that leads the browser to the address which its handler returns. */
export function redirectRoute<P extends z.ZodType, Q extends z.ZodType>(
  spec: Omit<Description, 'status'> & { params?: P; query?: Q },
  handler: (ctx: Context, call: Parsed<P, Q, z.ZodType> & { viewer: Viewer | null }) => Promise<string>,
): Operation {
  const leading = { ...spec, status: 302, response: z.url() } as const;
  return {
    ...leading,
    auth: 'optional',
    handle: async (ctx, viewer, incoming) => handler(ctx, { viewer, ...parsed(leading, incoming) }),
  };
}
