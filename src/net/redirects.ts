import { parseUrl } from '../text/parse-url.ts';
import type { FetchResponse } from './network.ts';

/** The absolute address that a response redirects to; null when it is not a redirect. */
export function redirectTarget(
  { status, headers }: Pick<FetchResponse, 'status' | 'headers'>,
  from: string,
): string | null {
  const location = headers['location'];
  if (status < 300 || status >= 400 || location === undefined) return null;
  return parseUrl(location, from)?.href ?? null;
}

/** The outcome of visiting one address: the final result, or the next address. */
export type Visit<T> = { end: T } | { next: string };

/** Visits an address and those it redirects to. Null: there are more than `limit` redirects. */
export async function followRedirects<T>(
  start: string,
  limit: number,
  visit: (url: string) => Promise<Visit<T>>,
): Promise<T | null> {
  let url = start;
  for (let redirects = 0; redirects <= limit; redirects += 1) {
    const visited = await visit(url);
    if ('end' in visited) return visited.end;
    url = visited.next;
  }
  return null;
}
