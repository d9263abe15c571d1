import { z } from 'zod';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import type { ListPart } from '../db/list-part.ts';
import { invalid } from '../errors.ts';
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
import { holdReads } from '../http/serve-endpoints.ts';
import { isWholeNumber } from '../text/typed-number.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { presenter } from './presenter.ts';
import { isStreamed, type Streamed, type StreamedFile } from './streamed.ts';
import { MessageResponse, wholeNumber } from './suite-schemas.ts';

/** What the OpenAPI document says about an operation, and what the router needs to know. */
export type Description = Pick<Endpoint, 'permission' | 'rateLimit' | 'suiteToken' | 'upload' | 'waits'> & {
  /** The `operationId` in the OpenAPI document, which becomes the method name in generated clients. */
  operationId: string;
  summary: string;
  description?: string;
  /** Of the response. 200 if it is missing. */
  status?: 201 | 202 | 302;
  /**
   * Failures in addition to those that every operation of this kind has (401, 400, 404, …). Maps the status to the
   * reason.
   */
  failures?: Partial<Record<401 | 403 | 404 | 409 | 413 | 422 | 503, string>>;
  /** The body may be omitted. It then counts as `{}`. */
  bodyOptional?: true;
  /** The operation signs the browser in, so its response has a `Set-Cookie` header. */
  setsCookie?: true;
  /** `handle` returns a `SentPart`, and the `Link` header leads to the next part. */
  isList?: true;
  /** `handle` returns a `StreamedFile` of one of these types. */
  fileTypes?: readonly string[];
};

/** The part of a list that is sent. `cursor` leads to the next part; null at the end. */
export const SentPart = z.object({ body: z.unknown(), cursor: z.string().nullable() });
export type SentPart = z.infer<typeof SentPart>;

type Schemas<P extends PartSchema, Q extends PartSchema, B extends PartSchema> = { params?: P; query?: Q; body?: B };

/** What a handler receives. The input has been parsed. */
type ApiRequest<P extends PartSchema, Q extends PartSchema, B extends PartSchema, V> = {
  viewer: V;
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
} & Pick<Incoming, 'cookies' | 'gone' | 'upload'>;

/** An operation as the router and the document see it, without its type parameters. */
export type Operation = Description &
  Schemas<PartSchema, PartSchema, PartSchema> &
  Pick<Endpoint, 'access'> & {
    response: z.ZodType;
    handle(ctx: Context, incoming: Incoming): Promise<unknown>;
  };

/** Numbers are written in digits: `1e1`, `0x10` and ` 10`, which JavaScript takes as numbers, are refused. */
function parseInAddress<Q extends PartSchema>(schema: Q | undefined, raw: unknown): Parsed<Q> {
  const parsed = parsePart(schema, raw);
  const issues = Object.entries(raw ?? {}).flatMap(([path, text]: [string, unknown]) => {
    const isNumber = typeof parsed === 'object' && parsed !== null && typeof Reflect.get(parsed, path) === 'number';
    return isNumber && !isWholeNumber(text) ? [{ path, message: 'must be a whole number, in digits' }] : [];
  });
  if (issues.length > 0) throw invalid('The request is not valid', issues);
  return parsed;
}

function parseRequest<P extends PartSchema, Q extends PartSchema, B extends PartSchema, V>(
  { params, query, body }: Schemas<P, Q, B>,
  incoming: Incoming,
  viewer: V,
): ApiRequest<P, Q, B, V> {
  return {
    viewer,
    params: parseInAddress(params, incoming.params),
    query: parseInAddress(query, incoming.query),
    body: parsePart(body, incoming.body ?? {}),
    cookies: incoming.cookies,
    gone: incoming.gone,
    upload: incoming.upload,
  };
}

/** What a handler returns: the fields of the response's schema, and maybe more. */
type Answer<R extends z.ZodType> = z.input<R> | Streamed<z.input<R>>;

function answerPresenter(response: z.ZodType) {
  const show = presenter(response);
  return (answer: unknown, config: Context['config']): unknown => {
    if (!isStreamed(answer)) return show(answer, config);
    const { before, after } = answer;
    return {
      ...answer,
      before: show(before, config),
      ...(after === undefined ? {} : { after: async () => show(await after(), config) }),
    };
  };
}

/** Makes the operations of one kind of caller, whose handlers receive what `readViewer` returns. */
function operationFor<V>(access: Operation['access'], readViewer: (incoming: Incoming) => V) {
  return <
    R extends z.ZodType,
    P extends PartSchema = undefined,
    Q extends PartSchema = undefined,
    B extends PartSchema = undefined,
    L extends object = object,
  >(
    spec: Description & Schemas<P, Q, B> & Load<P, V, L> & { response: R },
    handler: (ctx: Context, request: ApiRequest<P, Q, B, V> & L) => Promise<Answer<R>>,
  ): Operation => {
    const show = answerPresenter(spec.response);
    return {
      ...spec,
      access,
      async handle(ctx, incoming) {
        const request = await loadFor(spec, ctx, parseRequest(spec, incoming, readViewer(incoming)));
        return show(await handler(ctx, request), ctx.config);
      },
    };
  };
}

/** An operation for signed-in callers: without a valid token it answers 401 before anything is parsed. */
export const route = operationFor<Viewer>('viewer', signedIn);

/** An operation that only does something. Its answer is the sentence `done`. */
export function actRoute<P extends PartSchema = undefined, B extends PartSchema = undefined, L extends object = object>(
  { done, ...spec }: Description & Schemas<P, undefined, B> & Load<P, Viewer, L> & { done: string },
  act: (ctx: Context, request: ApiRequest<P, undefined, B, Viewer> & L) => Promise<unknown>,
): Operation {
  return route<typeof MessageResponse, P, undefined, B, L>(
    { ...spec, response: MessageResponse },
    async (ctx, request) => {
      await act(ctx, request);
      return { message: done };
    },
  );
}

/** The maximum and the default number of items in a part of a list, and what a cursor holds. */
export type ListBounds<Place> = { most: number; usual?: number; place: z.ZodType<Place> };

/** The place of an item may have a path of the greatest length, which takes up to 2,800 characters. */
const CURSOR_MAX_LENGTH = 4000;

const partParameters = ({ most, usual = most }: Omit<ListBounds<unknown>, 'place'>) => ({
  limit: wholeNumber(1, most).default(usual).describe('Maximum number of items in the response'),
  cursor: z
    .string()
    .max(CURSOR_MAX_LENGTH)
    .optional()
    .describe('From the `Link` header of the previous part. Keep the other parameters unchanged.'),
});

/** A part of a list, or a response with a list in it, and the place after which the next part begins; null at the end. */
type ListAnswer<R extends z.ZodType, Place> = { next: Place | null } & (z.input<R> extends unknown[]
  ? { items: z.input<R> }
  : Answer<R>);

/** A list in parts: its query also has `limit` and `cursor`, and its handler gets them as `part`. */
export function listRoute<
  R extends z.ZodType,
  Place,
  P extends PartSchema = undefined,
  Q extends z.ZodObject | undefined = undefined,
  L extends object = object,
>(
  spec: Description & Schemas<P, Q, undefined> & Load<P, Viewer, L> & { response: R; list: ListBounds<Place> },
  handler: (
    ctx: Context,
    request: ApiRequest<P, Q, undefined, Viewer> & L & { part: ListPart<Place> },
  ) => Promise<ListAnswer<R, Place>>,
): Operation {
  const PartQuery = z.object(partParameters(spec.list));
  const show = answerPresenter(spec.response);
  return {
    ...spec,
    query: (spec.query ?? z.object({})).extend(PartQuery.shape),
    isList: true,
    access: 'viewer',
    handle: async (ctx, incoming): Promise<SentPart> => {
      const request = parseRequest(spec, incoming, signedIn(incoming));
      const { limit, cursor } = parseInAddress(PartQuery, incoming.query);
      const of = { operationId: spec.operationId, asked: [request.params, request.query] };
      const after = cursor === undefined ? null : readCursor(ctx.config, of, spec.list.place, cursor);
      const loaded = await loadFor(spec, ctx, request);
      const answer = await handler(ctx, { ...loaded, part: { limit, after } });
      const { next } = answer;
      return {
        body: show('items' in answer ? answer.items : answer, ctx.config),
        cursor: next === null ? null : writeCursor(ctx.config, of, next),
      };
    },
  };
}

/** Each text is read in turn with other requests, so a slow client holds nobody up. */
async function* readInTurn(texts: AsyncIterable<string>, gone: AbortSignal): AsyncGenerator<string> {
  const all = texts[Symbol.asyncIterator]();
  for (;;) {
    const next = await holdReads(gone, async () => all.next());
    if (next.done === true) return;
    yield next.value;
  }
}

/** An operation that answers with a file. */
export function fileRoute<P extends PartSchema = undefined, Q extends PartSchema = undefined>(
  spec: Description & Pick<Schemas<P, Q, undefined>, 'params' | 'query'> & { fileTypes: string[] },
  handler: (ctx: Context, request: ApiRequest<P, Q, undefined, Viewer>) => Promise<StreamedFile>,
): Operation {
  return {
    ...spec,
    response: z.string(),
    access: 'viewer',
    waits: true,
    async handle(ctx, incoming): Promise<StreamedFile> {
      const file = await handler(ctx, parseRequest(spec, incoming, signedIn(incoming)));
      return { ...file, texts: readInTurn(file.texts, incoming.gone) };
    },
  };
}

export const publicRoute = operationFor('anyone', () => null);

const optionalRoute = operationFor('optional', ({ viewer }) => viewer);

/** An operation for anyone. It redirects the browser to the URL that its handler returns. */
export function redirectRoute<P extends PartSchema = undefined, Q extends PartSchema = undefined>(
  spec: Omit<Description, 'status'> & Pick<Schemas<P, Q, undefined>, 'params' | 'query'>,
  handler: (ctx: Context, request: ApiRequest<P, Q, undefined, Viewer | null>) => Promise<string>,
): Operation {
  return optionalRoute({ ...spec, status: 302, response: z.url() }, handler);
}
