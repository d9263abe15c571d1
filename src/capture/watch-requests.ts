import type { Page, Request } from 'playwright';

/** The requests of a page and its frames. */
export type Requests = {
  /** Milliseconds since the last request ended. 0 while one is in flight. */
  quietFor(): number;
  inFlight(): number;
};

/** Requests of these kinds may stay open, or are not what the page waits for. */
const ENDLESS = new Set(['eventsource', 'websocket', 'media', 'ping', 'cspviolationreport', 'texttrack']);

/** A request that takes longer hangs, ms. The page may be at rest nonetheless: images and fonts have their own warnings. */
const HANGS_MS = 10_000;

/** A script need not read what it fetches, nor does a stream have an end: how long a body is waited for, ms. */
const BODY_MS = 3000;
const FETCHES = new Set(['fetch', 'xhr']);

/** What needs no network ends at once, and the browser does not always say so. */
const isLocal = (url: string) => /^(?:blob|data):/.test(url);

export function watchRequests(page: Page): Requests {
  /** Until when each is waited for. */
  const open = new Map<Request, number>();
  let lastEnd = performance.now();
  const end = (request: Request) => {
    if (open.delete(request)) lastEnd = performance.now();
  };
  page.on('request', (request) => {
    if (ENDLESS.has(request.resourceType()) || isLocal(request.url())) return;
    open.set(request, performance.now() + HANGS_MS);
  });
  page.on('response', (response) => {
    const request = response.request();
    if (open.has(request) && FETCHES.has(request.resourceType())) open.set(request, performance.now() + BODY_MS);
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  const inFlight = () => [...open.values()].filter((until) => performance.now() < until).length;
  return { inFlight, quietFor: () => (inFlight() > 0 ? 0 : performance.now() - lastEnd) };
}
