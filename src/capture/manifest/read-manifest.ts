import type { Request, Response } from 'playwright';
import { settlesWithin } from '../../async/time-limit.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { isBlocked } from '../browser/block-hosts.ts';
import type { CaptureRequest } from '../browser/capture-request.ts';
import type { OpenPage } from '../open-page.ts';
import { toExchange, type Served } from './exchange.ts';
import { findObstacleKinds, findObstacles, showsAddresses } from './find-obstacles.ts';
import { sortExchanges, type Recorded } from './manifest.ts';
import type { Places } from './places.ts';

/** How long reading the responses of a settled page may take, ms. */
const READ_MS = 5000;
/** Pages with more are captured each time. */
const MOST_REQUESTS = 500;
const MOST_BYTES = 50_000_000;

type RecordedRequest = Pick<CaptureRequest, 'url' | 'blockHosts' | 'customCss' | 'rules'>;

const nothing = (...obstacles: string[]): Recorded => ({ exchanges: [], literal: false, obstacles });

async function readServed({ requests }: OpenPage, request: Request, response: Response): Promise<Served> {
  const [asked, answered] = await Promise.all([request.allHeaders(), response.allHeaders()]);
  // The browser shows the body of a redirect that leads nowhere. That of a prefetch is for another page.
  const hasBody = request.redirectedTo() === null && asked['sec-purpose'] !== 'prefetch';
  const body = hasBody ? await requests.body(response) : null;
  return { url: request.url(), kind: request.resourceType(), asked, status: response.status(), answered, body };
}

/** Requests that the suite or the page's own policy blocks are never sent. */
function isWithheld(request: Request, blocked: readonly string[]): boolean {
  const why = request.failure()?.errorText ?? '';
  return (
    why === 'csp' || (why.includes('ERR_BLOCKED_BY_CLIENT') && blocked.length > 0 && isBlocked(blocked, request.url()))
  );
}

/** Frames whose content comes from no server, or from another site in its own process. */
function findFrameObstacles({ page }: OpenPage): string[] {
  const { origin } = new URL(page.url());
  return page.frames().some((frame) => parseUrl(frame.url())?.origin !== origin)
    ? ['a frame of another site, or without an address']
    : [];
}

/** What the suite adds to the page, like a style sheet of the page's own: it may depend on addresses, or on chance. */
const styleOfSuite = ({ url, customCss, rules }: RecordedRequest): Served => ({
  url,
  kind: 'stylesheet',
  asked: {},
  status: 200,
  answered: { 'content-type': 'text/css; charset=utf-8' },
  body: Buffer.from(JSON.stringify([customCss, rules]).replaceAll(/\\[nrt]/g, ' ')),
});

/** @param own the names of the headers that the suite's access sends */
async function readAll(
  open: OpenPage,
  requests: Request[],
  { places, own, request }: { places: Places; own: string[]; request: RecordedRequest },
): Promise<Recorded> {
  const { page } = open;
  const all: Served[] = [];
  const obstacles = findFrameObstacles(open);
  let bytes = 0;
  for (const asked of requests) {
    if (isWithheld(asked, request.blockHosts)) continue;
    if (asked.method() !== 'GET') return nothing(`a request by ${asked.method()}`);
    const response = await asked.response();
    if (response === null) return nothing('a request without an answer');
    if (response.fromServiceWorker()) obstacles.push('a service worker');
    const failure = await response.finished();
    if (failure !== null) return nothing('a request that failed');
    const served = await readServed(open, asked, response);
    bytes += served.body?.length ?? 0;
    // If a page can't be proven, nothing else has to be read.
    const early = asked.resourceType() === 'document' ? findObstacles([served], own) : [];
    if (early.length > 0) return nothing(...early);
    if (bytes > MOST_BYTES) return nothing('more bytes than are compared');
    all.push(served);
  }
  const moves = requests.filter((asked) => asked.isNavigationRequest() && asked.frame() === page.mainFrame());
  if (moves.some((asked) => asked.redirectedFrom() === null && asked !== moves[0])) {
    obstacles.push('the page went on to another address');
  }
  const drawn = [...all, styleOfSuite(request)];
  const literal = showsAddresses(drawn);
  const { exchanges, twice } = sortExchanges(all.map((served) => toExchange(places, served, { own, literal })));
  if (twice) obstacles.push('an address that serves different things');
  return { exchanges, literal, obstacles: [...new Set([...obstacles, ...findObstacles(drawn, own)])] };
}

/** What the page was made of so far. */
export async function readManifest(
  open: OpenPage,
  places: Places,
  request: RecordedRequest & Pick<CaptureRequest, 'access'>,
): Promise<Recorded> {
  const requests = open.requests.begun();
  const { sockets, workers } = open.requests.others();
  if (requests === null || requests.length > MOST_REQUESTS) return nothing('more requests than are compared');
  const kinds = findObstacleKinds(requests.map((asked) => asked.resourceType()));
  if (kinds.length > 0) return nothing(...kinds);
  if (sockets > 0) return nothing('a web socket');
  if (workers > 0) return nothing('a worker');
  const own = request.access?.headers.map(({ name }) => name) ?? [];
  // The page may be gone, and the bodies with it. Without them nothing is proven.
  const reading = readAll(open, requests, { places, own, request }).catch(() =>
    nothing('an answer that could not be read'),
  );
  open.guard.extend(READ_MS);
  const inTime = await open.guard.race(settlesWithin(READ_MS, reading));
  return inTime ? reading : nothing('a request that did not end');
}
