import { z } from 'zod';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { LimitedOperation } from '../http/rate-limit.ts';
import { parseInput } from '../http/parse-input.ts';
import type { Answer } from './answer.ts';
import { inFormWords } from './form-wording.ts';
import type { Problem } from './problem.ts';
import { problemOf } from './problem.ts';

/** The browser's copy of the session token, and what it remembers of the viewer's taste. */
export type Cookies = {
  signIn(token: string): void;
  /** Also drops what the browser kept of our pages. */
  signOut(): void;
  chooseTheme(theme: Theme): void;
};

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What every page may know of its request. */
export type Call<P, Q, V = Viewer> = {
  viewer: V;
  params: P;
  query: Q;
  /** htmx asks for a part of a page that is open. */
  part: boolean;
  /** Path and query, to come back to. */
  address: string;
  theme: Theme;
  /** The person meant to open this address now: neither another site's page nor a look ahead (HEAD, prefetch) asks. */
  meant: boolean;
  cookies: Cookies;
};

/** A request before any of it has been parsed. */
export type Incoming = Omit<Call<unknown, unknown, Viewer | null>, 'viewer'> & { body: unknown };

/** A line of the page table: the types are settled inside. */
export type Row = {
  method: 'get' | 'post';
  /** Express's path template; also the label of the metrics. */
  path: string;
  /** `viewer`: others are led to the sign-in. */
  access: 'viewer' | 'anyone';
  rateLimit?: LimitedOperation;
  handle(ctx: Context, viewer: Viewer | null, incoming: Incoming): Promise<Answer>;
  /** The form's page again, with the problem at its fields; null: an error page tells it. */
  handleProblem(ctx: Context, viewer: Viewer | null, incoming: Incoming, error: unknown): Promise<Answer | null>;
};

type Shapes<P extends z.ZodType, Q extends z.ZodType> = { params?: P; query?: Q };

const NOTHING = z.any();

/** An address that cannot be anything's, such as an id of another form, leads nowhere. */
function paramsOf<P extends z.ZodType>(schema: P | undefined, params: unknown): z.output<P> {
  if (schema === undefined) return NOTHING.parse(undefined);
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw notFound('The page');
  return parsed.data;
}

function callOf<P extends z.ZodType, Q extends z.ZodType, V>(
  { params, query }: Shapes<P, Q>,
  viewer: V,
  { part, address, theme, meant, cookies, ...incoming }: Incoming,
): Call<z.output<P>, z.output<Q>, V> {
  return {
    part,
    address,
    theme,
    meant,
    cookies,
    viewer,
    params: paramsOf(params, incoming.params),
    query: query === undefined ? NOTHING.parse(undefined) : parseInput(query, incoming.query),
  };
}

function signedIn(viewer: Viewer | null): Viewer {
  if (viewer === null) throw new Error('A row for signed-in viewers was called without one');
  return viewer;
}

const tellNoProblem = async () => null;

/** A page for those who are signed in. */
export function page<P extends z.ZodType, Q extends z.ZodType>(
  spec: { path: string } & Shapes<P, Q>,
  show: (ctx: Context, call: Call<z.output<P>, z.output<Q>>) => Promise<Answer>,
): Row {
  return {
    method: 'get',
    path: spec.path,
    access: 'viewer',
    handle: async (ctx, viewer, incoming) => show(ctx, callOf(spec, signedIn(viewer), incoming)),
    handleProblem: tellNoProblem,
  };
}

/** A page for anyone. */
export function openPage<P extends z.ZodType, Q extends z.ZodType>(
  spec: { path: string } & Shapes<P, Q>,
  show: (ctx: Context, call: Call<z.output<P>, z.output<Q>, Viewer | null>) => Promise<Answer>,
): Row {
  return {
    method: 'get',
    path: spec.path,
    access: 'anyone',
    handle: async (ctx, viewer, incoming) => show(ctx, callOf(spec, viewer, incoming)),
    handleProblem: tellNoProblem,
  };
}

type ActionSpec<P extends z.ZodType, Q extends z.ZodType, F extends z.ZodType, V> = Shapes<P, Q> & {
  path: string;
  /** Of the form's fields: strings, or lists of strings where a name is sent several times. */
  form: F;
  rateLimit?: LimitedOperation;
  /** Shows the form again. Left out: a refusal is told on an error page. */
  again?: (ctx: Context, call: Call<z.output<P>, z.output<Q>, V>, problem: Problem) => Promise<Answer>;
};

function actionRow<P extends z.ZodType, Q extends z.ZodType, F extends z.ZodType, V>(
  spec: ActionSpec<P, Q, F, V>,
  access: Row['access'],
  viewerOf: (viewer: Viewer | null) => V,
  act: (ctx: Context, call: Call<z.output<P>, z.output<Q>, V> & { form: z.output<F> }) => Promise<Answer>,
): Row {
  const { path, form, rateLimit, again } = spec;
  return {
    method: 'post',
    path,
    access,
    ...(rateLimit === undefined ? {} : { rateLimit }),
    async handle(ctx, viewer, incoming) {
      const call = callOf(spec, viewerOf(viewer), incoming);
      return act(ctx, { ...call, form: parseInput(form, incoming.body ?? {}, inFormWords) });
    },
    async handleProblem(ctx, viewer, incoming, error) {
      const problem = again === undefined ? null : problemOf(error, incoming.body);
      if (again === undefined || problem === null) return null;
      const answer = await again(ctx, callOf(spec, viewerOf(viewer), incoming), problem);
      return answer.kind === 'lead' ? answer : { ...answer, status: problem.status };
    },
  };
}

/** What a form of a signed-in viewer does. It leads on; a refusal shows the form again. */
export function action<P extends z.ZodType, Q extends z.ZodType, F extends z.ZodType>(
  spec: ActionSpec<P, Q, F, Viewer>,
  act: (ctx: Context, call: Call<z.output<P>, z.output<Q>> & { form: z.output<F> }) => Promise<Answer>,
): Row {
  return actionRow(spec, 'viewer', signedIn, act);
}

/** What anyone's form does. */
export function openAction<P extends z.ZodType, Q extends z.ZodType, F extends z.ZodType>(
  spec: ActionSpec<P, Q, F, Viewer | null>,
  act: (ctx: Context, call: Call<z.output<P>, z.output<Q>, Viewer | null> & { form: z.output<F> }) => Promise<Answer>,
): Row {
  return actionRow(spec, 'anyone', (viewer) => viewer, act);
}
