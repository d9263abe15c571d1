import type { z } from 'zod';
import type { Preferences } from '../auth/preferences.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Cookies } from '../http/cookies.ts';
import {
  loadFor,
  parsePart,
  signedIn,
  type Endpoint,
  type Incoming,
  type Load,
  type Parsed,
  type PartSchema,
} from '../http/endpoint.ts';
import { inputWords } from '../text/input-words.ts';
import type { Notice } from './flash-notice.ts';
import { toProblem, type Problem } from './form-field.ts';

/**
 * Messages for people at a form, for fields whose schema has none of its own. A handwritten or outdated form may omit
 * a field or send it twice.
 */
const formErrorMap: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return Array.isArray(issue.input) ? 'was sent more than once' : 'must not be empty';
    case 'invalid_value':
    case 'invalid_union':
      return 'must be one of the available options';
    default:
      return inputWords(issue);
  }
};

/** What a handler may know about the request's browser and the person's preferences. */
type BrowserRequest = {
  cookies: Cookies;
  /** htmx requests a fragment for a page that is already open. */
  htmx: boolean;
  /** The path and query, to return to later. */
  url: string;
  preferences: Preferences;
  /** The person opens this URL on purpose: the request comes from no other site's page, and is no prefetch. */
  deliberate: boolean;
};

/** What a handler receives. The input has been parsed. */
type WebRequest<P, Q, V = Viewer> = BrowserRequest & { viewer: V; params: P; query: Q };

export type WebIncoming = Incoming & BrowserRequest;

/** An entry of the route table, without its type parameters. */
export type Route = Endpoint & {
  handle(ctx: Context, incoming: WebIncoming): Promise<Reply>;
  /** Shows the form again, with the problem at its fields. Null: show the error page instead. */
  handleProblem(ctx: Context, incoming: WebIncoming, error: unknown): Promise<Reply | null>;
};

type Schemas<P extends PartSchema, Q extends PartSchema> = { params?: P; query?: Q };

/** A URL that can't exist, such as one with a malformed ID, is a 404. */
function parseParams<P extends PartSchema>(schema: P | undefined, params: unknown): Parsed<P> {
  if (schema?.safeParse(params).success === false) throw notFound('Page');
  return parsePart(schema, params);
}

function parseRequest<P extends PartSchema, Q extends PartSchema, V>(
  schemas: Schemas<P, Q>,
  incoming: WebIncoming,
  viewer: V,
): WebRequest<Parsed<P>, Parsed<Q>, V> {
  const params = parseParams(schemas.params, incoming.params);
  return { ...incoming, viewer, params, query: parsePart(schemas.query, incoming.query) };
}

type Spec<P extends PartSchema, Q extends PartSchema, V, L> = Pick<Endpoint, 'path' | 'permission' | 'rateLimit'> &
  Schemas<P, Q> &
  Load<P, V, L>;

type Show = (ctx: Context, incoming: WebIncoming, problem: Problem | null) => Promise<Reply>;

/** A page. `show` shows it again after a form on it was refused. */
type Page = Route & { show: Show };

/** Makes the pages for one kind of visitor, whose handlers receive what `readViewer` and the description's `load` return. */
const pageRouteFor =
  <V>(access: Endpoint['access'], readViewer: (incoming: Incoming) => V) =>
  <P extends PartSchema = undefined, Q extends PartSchema = undefined, L extends object = object>(
    spec: Spec<P, Q, V, L>,
    handler: (
      ctx: Context,
      request: WebRequest<Parsed<P>, Parsed<Q>, V> & L,
      problem: Problem | null,
    ) => Promise<Reply>,
  ): Page => {
    const show: Show = async (ctx, incoming, problem) =>
      handler(ctx, await loadFor(spec, ctx, parseRequest(spec, incoming, readViewer(incoming))), problem);
    return {
      ...spec,
      method: 'get',
      access,
      show,
      handle: async (ctx, incoming) => show(ctx, incoming, null),
      handleProblem: async () => null,
    };
  };

/** A page for signed-in people. */
export const pageRoute = pageRouteFor<Viewer>('viewer', signedIn);

/** A page for anyone. */
export const publicPageRoute = pageRouteFor('optional', ({ viewer }) => viewer);

type FormSpec<P extends PartSchema, Q extends PartSchema, F extends PartSchema, V, L> = Spec<P, Q, V, L> & {
  /**
   * The schema of the form's fields. They are strings, or lists of strings if a name is sent several times. Missing: it
   * has none.
   */
  form?: F;
  /** Shows the page with the form again, usually its `show`. If omitted, a rejection is shown on an error page. */
  redisplay?: (ctx: Context, incoming: WebIncoming, problem: Problem) => Promise<Reply>;
};

type FormRequest<P extends PartSchema, Q extends PartSchema, F extends PartSchema, V> = WebRequest<
  Parsed<P>,
  Parsed<Q>,
  V
> & { form: Parsed<F> };

const formRouteFor =
  <V>(access: Endpoint['access'], readViewer: (incoming: Incoming) => V) =>
  <
    P extends PartSchema = undefined,
    Q extends PartSchema = undefined,
    F extends PartSchema = undefined,
    L extends object = object,
  >(
    spec: FormSpec<P, Q, F, V, L>,
    act: (ctx: Context, request: FormRequest<P, Q, F, V> & L) => Promise<Reply>,
  ): Route => ({
    ...spec,
    method: 'post',
    access,
    async handle(ctx, incoming) {
      const request = parseRequest(spec, incoming, readViewer(incoming));
      const form = parsePart(spec.form, incoming.body ?? {}, formErrorMap);
      return act(ctx, await loadFor(spec, ctx, { ...request, form }));
    },
    async handleProblem(ctx, incoming, error) {
      const problem = spec.redisplay === undefined ? null : toProblem(error, incoming.body);
      if (spec.redisplay === undefined || problem === null) return null;
      const reply = await spec.redisplay(ctx, incoming, problem);
      return reply.kind === 'redirect' ? reply : { ...reply, status: problem.status };
    },
  });

/** Handles a form from a signed-in viewer. It redirects, or shows the form again if the input is rejected. */
export const formRoute = formRouteFor<Viewer>('viewer', signedIn);

export const publicFormRoute = formRouteFor('optional', ({ viewer }) => viewer);

/** What a handler returns. `web-edge.ts` turns it into a response. */
export type Reply =
  | {
      kind: 'page';
      /** A file in `views/`, without `.hbs`. */
      view: string;
      /** Shown in the browser tab, before the product's name. */
      title: string;
      model: object;
      status?: number;
      /** `narrow` for a page with only a form, `full` for screenshots side by side. */
      width?: 'narrow' | 'full';
      /** The entry of the main navigation that the page belongs to. */
      section?: Section;
      /** Another site that a form on this page posts to. The content security policy then allows it. */
      formOrigin?: string;
    }
  /** A view without the layout, which htmx inserts into an open page. */
  | { kind: 'fragment'; view: string; model: object; status?: number }
  | { kind: 'markdown'; text: string }
  /**
   * Redirects after an action (POST), with a message that the next page shows once. `to` is a path of this service.
   * `clearCache` makes the browser clear its cache of our pages.
   */
  | { kind: 'redirect'; to: string; notice?: string | Notice; clearCache?: true };

export type Section = 'dashboard' | 'suites' | 'single-pages' | 'runs' | 'account' | 'setup';

export function redirect(to: string, notice?: string | Notice): Reply {
  return notice === undefined ? { kind: 'redirect', to } : { kind: 'redirect', to, notice };
}

type Query = Record<string, string | number | boolean | null | undefined | readonly string[]>;

/** Without what is null, undefined, empty or false. True is `1`. Of a list, each value has an entry. */
const listEntries = (query: Query): [string, string][] =>
  Object.entries(query).flatMap(([name, values]) =>
    [values]
      .flat()
      .filter((value) => value !== null && value !== undefined && value !== '' && value !== false)
      .map((value): [string, string] => [name, value === true ? '1' : String(value)]),
  );

/** Adds a query to `path`. Entries that are null, undefined, empty or false are omitted. */
export function withQuery(path: string, query: Query): string {
  const entries = listEntries(query);
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
}

/** Whether a filter leaves anything out: it would be in the URL. */
export const isAnySet = (filter: Query): boolean => listEntries(filter).length > 0;

/** A page of a list. `page`: its number, from 1. `size`: how many entries a page has. `query`: the filters of the list. */
type ListPage = { page: number; size: number; path: string; query?: Query };

/** The address of another page of the same list. */
const pageAt = ({ path, query }: ListPage, page: number) =>
  withQuery(path, { ...query, page: page === 1 ? null : page });

/** The entries of the page. */
export const pagePart = ({ page, size }: Pick<ListPage, 'page' | 'size'>) => ({
  limit: size,
  offset: (page - 1) * size,
});

/** From a page after the last one to the last one. Null: this is none. */
export function backToLast(shown: ListPage, total: number): Reply | null {
  const last = Math.max(1, Math.ceil(total / shown.size));
  return shown.page > last ? redirect(pageAt(shown, last)) : null;
}

/** What the partial `pager` prints. Null when everything fits on one page. */
export function buildPager(shown: ListPage, total: number) {
  const { page, size } = shown;
  if (total <= size && page === 1) return null;
  const first = (page - 1) * size + 1;
  return {
    first: Math.min(first, total),
    last: Math.min(page * size, total),
    total,
    previous: page > 1 ? pageAt(shown, page - 1) : null,
    next: page * size < total ? pageAt(shown, page + 1) : null,
  };
}
