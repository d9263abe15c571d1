import { Readable } from 'node:stream';
import { SentPart } from '../api/api-route.ts';
import type { Route } from '../api/route-list.ts';
import { isStreamed } from '../api/streamed.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { Cookies } from '../http/cookies.ts';
import { requireOpenToToken } from '../http/endpoint.ts';
import { holdReads } from '../http/hold-reads.ts';

type Call = { viewer: Viewer; params: unknown; query: unknown; body: unknown; gone: AbortSignal };

function refuseCookie(): never {
  throw new Error('An operation that sets cookies was called within the process');
}

const NO_COOKIES: Cookies = { read: () => null, set: refuseCookie, clear: refuseCookie };

/**
 * Calls an operation of the API from within the process: with its own checks, validation and presentation, and in turn
 * with requests.
 * @returns what it would send as JSON, without the longest member of an answer that is streamed. `cursor`: of the next
 * part of a list; null at the end, and for what is no list
 */
export async function callOperation(ctx: Context, route: Route, call: Call): Promise<SentPart> {
  requireOpenToToken(route, call.viewer);
  const upload = { stream: Readable.from([]), length: null };
  const work = async () => readPart(route, await route.handle(ctx, { ...call, cookies: NO_COOKIES, upload }));
  return route.method === 'get' && route.waits !== true ? holdReads(call.gone, work) : work();
}

function readPart({ isList }: Route, result: unknown): SentPart {
  const { body, cursor } = isList === true ? SentPart.parse(result) : { body: result, cursor: null };
  return { body: isStreamed(body) ? body.before : body, cursor };
}
