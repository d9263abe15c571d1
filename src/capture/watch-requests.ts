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

export function watchRequests(page: Page): Requests {
  const open = new Map<Request, number>();
  let lastEnd = performance.now();
  const end = (request: Request) => {
    if (open.delete(request)) lastEnd = performance.now();
  };
  page.on('request', (request) => {
    if (!ENDLESS.has(request.resourceType())) open.set(request, performance.now());
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  const inFlight = () => [...open.values()].filter((start) => performance.now() - start < HANGS_MS).length;
  return { inFlight, quietFor: () => (inFlight() > 0 ? 0 : performance.now() - lastEnd) };
}
