import type { Request, RequestHandler, Response, Router } from 'express';
import pLimit from 'p-limit';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { bindCookies } from './cookies.ts';
import { requireOpenToToken, type Endpoint, type Incoming } from './endpoint.ts';
import { rateLimits } from './rate-limit.ts';

/**
 * Goes after the handlers of a path and responds to all methods that they did not handle. OPTIONS lists the supported
 * methods. There is no CORS, because no other site may act on behalf of a visitor.
 */
export function allowOnly(methods: readonly string[]): RequestHandler {
  const upper = methods.map((method) => method.toUpperCase());
  const allow = [...upper, ...(upper.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (req, res, next) => {
    res.set('Allow', allow);
    if (req.method === 'OPTIONS') {
      res.status(204).end();
      return;
    }
    const details = { code: 'method_not_allowed', allow };
    next(new AppError('method_not_allowed', `${req.method} is not allowed here`, details));
  };
}

/**
 * Concurrent reads of one process. They share the database and the event loop, so with too many at once all of them
 * would be late. More than the pool has connections, because some wait for GitHub or the storage.
 */
const MOST_AT_ONCE = 16;

/** Handles a read of a page or of the API when there is room for it, the oldest first. @throws the reason of `gone` */
type HoldReads = <T>(gone: AbortSignal, read: () => Promise<T>) => Promise<T>;

export function createHoldReads(most = MOST_AT_ONCE): HoldReads {
  const limit = pLimit(most);
  return async (gone, read) =>
    limit(async () => {
      // The client has left.
      gone.throwIfAborted();
      return read();
    });
}

/** Pages, the API and agents share it: all of them read the same database. */
export const holdReads = createHoldReads();

/** A request that is being answered. */
export type Exchange = { req: Request; res: Response; incoming: Incoming };

/** What differs between the API, which serves JSON to programs, and the web, which serves pages to people. */
export type Edge<E extends Endpoint> = {
  /** Runs for every request to a path, even with a method that the path does not support. */
  prepare(path: string): RequestHandler;
  /** Runs before an endpoint, such as a body parser. */
  before(endpoint: E): RequestHandler[];
  /** The endpoint's path in logs and metrics. */
  label(path: string): string;
  /** Answers a request that requires a sign-in and has none. */
  refuseAnonymous(exchange: Exchange): void;
  /** Calls the endpoint and sends what it returns. */
  respond(endpoint: E, exchange: Exchange): Promise<void>;
  /** False passes a failure on to the error handlers. */
  recover(endpoint: E, exchange: Exchange, error: unknown): Promise<boolean>;
};

async function run(handler: RequestHandler, { req, res }: Exchange): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    Promise.resolve(handler(req, res, next)).catch(reject);
  });
}

async function answer<E extends Endpoint>(
  ctx: Context,
  { req, res }: Pick<Exchange, 'req' | 'res'>,
  endpoint: E,
  edge: Edge<E>,
  limits: RequestHandler[],
  gone: AbortSignal,
): Promise<void> {
  res.locals.route = edge.label(endpoint.path);
  const viewer = endpoint.access === 'anyone' ? null : await res.locals.session.viewer();
  const { params, query } = req;
  const body: unknown = req.body;
  const upload = { stream: req, length: readLength(req) };
  const incoming = { viewer, params, query, body, cookies: bindCookies(ctx.config, req, res), upload, gone };
  const exchange = { req, res, incoming };
  if (endpoint.access === 'viewer' && viewer === null) {
    edge.refuseAnonymous(exchange);
    return;
  }
  requireOpenToToken(endpoint, viewer);
  try {
    for (const limit of limits) await run(limit, exchange);
    await edge.respond(endpoint, exchange);
  } catch (error) {
    if (res.closed || !(await edge.recover(endpoint, exchange, error))) throw error;
  }
}

function serve<E extends Endpoint>(ctx: Context, endpoint: E, edge: Edge<E>, limits: RequestHandler[]): RequestHandler {
  return async (req, res) => {
    const gone = watchClient(res);
    const work = async () => answer(ctx, { req, res }, endpoint, edge, limits, gone);
    try {
      // Requests that change something run immediately and to the end, even if the client leaves. An upload checks
      // `gone` itself.
      await (endpoint.method === 'get' && endpoint.waits !== true ? holdReads(gone, work) : work());
    } catch (error) {
      if (error !== gone.reason) throw error;
    }
  };
}

function readLength(req: Request): number | null {
  const length = req.get('content-length');
  return length === undefined ? null : Number(length);
}

function groupByPath<E extends Endpoint>(endpoints: readonly E[]): Map<string, E[]> {
  const byPath = new Map<string, E[]>();
  for (const endpoint of endpoints) byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), endpoint]);
  return byPath;
}

/**
 * Adds a table of endpoints to a router. For each request: find the viewer, apply the rate limits, parse and call,
 * send. A method that a path does not support gets a 405.
 */
export function serveEndpoints<E extends Endpoint>(
  ctx: Context,
  router: Router,
  endpoints: readonly E[],
  edge: Edge<E>,
): void {
  for (const [path, sharing] of groupByPath(endpoints)) {
    const at = router.route(path).all(edge.prepare(path));
    for (const endpoint of sharing) {
      const limits = endpoint.rateLimit === undefined ? [] : rateLimits(ctx, endpoint.rateLimit);
      at[endpoint.method](...edge.before(endpoint), serve(ctx, endpoint, edge, limits));
    }
    at.all(allowOnly(sharing.map(({ method }) => method)));
  }
}

/** The context for one request, which knows where it comes from. */
export function requestContext(ctx: Context, { ip }: Request): Context {
  return ip === undefined ? ctx : { ...ctx, address: ip };
}

/** Aborted when the client leaves before it has its answer. */
export function watchClient(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
