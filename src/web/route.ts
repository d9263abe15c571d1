import { z } from 'zod';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { LimitedOperation } from '../http/rate-limit.ts';
import { parseInput } from '../http/parse-input.ts';
import { inFormWords } from './form-wording.ts';
import type { Problem } from './problem.ts';
import { problemOf } from './problem.ts';
import type { Reply } from './reply.ts';

/** The browser's copy of the session token, and what it remembers of the viewer's taste. */
export type Cookies = {
  signIn(token: string): void;
  /** Also drops what the browser kept of our pages. */
  signOut(): void;
  chooseTheme(theme: Theme): void;
};

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What every handler may know of its request. */
export type WebRequest<P, Q, V = Viewer> = {
  viewer: V;
  params: P;
  query: Q;
  /** htmx asks for a fragment of a page that is open. */
  htmx: boolean;
  /** Path and query, to come back to. */
  url: string;
  theme: Theme;
  /** The person opens this address on purpose: no other site's page sent them, and the browser does not prefetch. */
  deliberate: boolean;
  cookies: Cookies;
};

/** A request before any of it has been parsed. */
export type Incoming = Omit<WebRequest<unknown, unknown, Viewer | null>, 'viewer'> & { body: unknown };

/** An entry of the route table: the types are settled inside. */
export type Route = {
  method: 'get' | 'post';
  /** Express's path template; also the label of the metrics. */
  path: string;
  /** `viewer`: others are redirected to the sign-in page. */
  access: 'viewer' | 'anyone';
  rateLimit?: LimitedOperation;
  handle(ctx: Context, viewer: Viewer | null, incoming: Incoming): Promise<Reply>;
  /** The form's page again, with the problem at its fields; null: an error page shows it. */
  handleProblem(ctx: Context, viewer: Viewer | null, incoming: Incoming, error: unknown): Promise<Reply | null>;
};

type Shapes<P extends z.ZodType, Q extends z.ZodType> = { params?: P; query?: Q };

const NOTHING = z.any();

/** An address that nothing can have, such as one with a malformed id, is a 404. */
function paramsOf<P extends z.ZodType>(schema: P | undefined, params: unknown): z.output<P> {
  if (schema === undefined) return NOTHING.parse(undefined);
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw notFound('The page');
  return parsed.data;
}

function parseRequest<P extends z.ZodType, Q extends z.ZodType, V>(
  { params, query }: Shapes<P, Q>,
  viewer: V,
  { htmx, url, theme, deliberate, cookies, ...incoming }: Incoming,
): WebRequest<z.output<P>, z.output<Q>, V> {
  return {
    htmx,
    url,
    theme,
    deliberate,
    cookies,
    viewer,
    params: paramsOf(params, incoming.params),
    query: query === undefined ? NOTHING.parse(undefined) : parseInput(query, incoming.query),
  };
}

function signedIn(viewer: Viewer | null): Viewer {
  if (viewer === null) throw new Error('A route for signed-in viewers was called without one');
  return viewer;
}

const noRedisplay = async () => null;

/** A page for those who are signed in. */
export function pageRoute<P extends z.ZodType, Q extends z.ZodType>(
  spec: { path: string } & Shapes<P, Q>,
  show: (ctx: Context, request: WebRequest<z.output<P>, z.output<Q>>) => Promise<Reply>,
): Route {
  return {
    method: 'get',
    path: spec.path,
    access: 'viewer',
    handle: async (ctx, viewer, incoming) => show(ctx, parseRequest(spec, signedIn(viewer), incoming)),
    handleProblem: noRedisplay,
  };
}

/** A page for anyone. */
export function publicPageRoute<P extends z.ZodType, Q extends z.ZodType>(
  spec: { path: string } & Shapes<P, Q>,
  show: (ctx: Context, request: WebRequest<z.output<P>, z.output<Q>, Viewer | null>) => Promise<Reply>,
): Route {
  return {
    method: 'get',
    path: spec.path,
    access: 'anyone',
    handle: async (ctx, viewer, incoming) => show(ctx, parseRequest(spec, viewer, incoming)),
    handleProblem: noRedisplay,
  };
}

type FormSpec<P extends z.ZodType, Q extends z.ZodType, F extends z.ZodType, V> = Shapes<P, Q> & {
  path: string;
  /** Of the form's fields: strings, or lists of strings where a name is sent several times. */
  form: F;
  rateLimit?: LimitedOperation;
  /** Shows the form again. Left out: a refusal is shown on an error page. */
  redisplay?: (ctx: Context, request: WebRequest<z.output<P>, z.output<Q>, V>, problem: Problem) => Promise<Reply>;
};

function formRouteFor<P extends z.ZodType, Q extends z.ZodType, F extends z.ZodType, V>(
  spec: FormSpec<P, Q, F, V>,
  access: Route['access'],
  viewerOf: (viewer: Viewer | null) => V,
  act: (ctx: Context, request: WebRequest<z.output<P>, z.output<Q>, V> & { form: z.output<F> }) => Promise<Reply>,
): Route {
  const { path, form, rateLimit, redisplay } = spec;
  return {
    method: 'post',
    path,
    access,
    ...(rateLimit === undefined ? {} : { rateLimit }),
    async handle(ctx, viewer, incoming) {
      const request = parseRequest(spec, viewerOf(viewer), incoming);
      return act(ctx, { ...request, form: parseInput(form, incoming.body ?? {}, inFormWords) });
    },
    async handleProblem(ctx, viewer, incoming, error) {
      const problem = redisplay === undefined ? null : problemOf(error, incoming.body);
      if (redisplay === undefined || problem === null) return null;
      const reply = await redisplay(ctx, parseRequest(spec, viewerOf(viewer), incoming), problem);
      return reply.kind === 'redirect' ? reply : { ...reply, status: problem.status };
    },
  };
}

/** The target of a signed-in viewer's form. It redirects; a refusal shows the form again. */
export function formRoute<P extends z.ZodType, Q extends z.ZodType, F extends z.ZodType>(
  spec: FormSpec<P, Q, F, Viewer>,
  act: (ctx: Context, request: WebRequest<z.output<P>, z.output<Q>> & { form: z.output<F> }) => Promise<Reply>,
): Route {
  return formRouteFor(spec, 'viewer', signedIn, act);
}

/** The target of a form for anyone. */
export function publicFormRoute<P extends z.ZodType, Q extends z.ZodType, F extends z.ZodType>(
  spec: FormSpec<P, Q, F, Viewer | null>,
  act: (
    ctx: Context,
    request: WebRequest<z.output<P>, z.output<Q>, Viewer | null> & { form: z.output<F> },
  ) => Promise<Reply>,
): Route {
  return formRouteFor(spec, 'anyone', (viewer) => viewer, act);
}
