import type { Page, Request, Response } from 'playwright';
import { formatStatus } from '../../text/format.ts';
import { tellAddress } from '../../text/parse-url.ts';

/**
 * The requests of a page and its frames. Times are in milliseconds. `unchangedFor`: what has been requested and answered
 * three times within this time, one after the other, does not count. 0: everything counts.
 */
export type Requests = {
  inFlight(unchangedFor?: number): boolean;
  /** Whether a request has not ended, however long ago it began. */
  hasOpen(): boolean;
  /** Since the last request ended. 0 while one is in flight. */
  quietFor(unchangedFor?: number): number;
  /** Whether a request that began after this time (as of `performance.now`) is in flight. */
  inFlightSince(since: number): boolean;
  /** How long the oldest unanswered request has waited. 0: there is none. */
  oldest(): number;
  /** Those that have ended. Null when one has failed or may not end, or when there are many. */
  ended(): Request[] | null;
  /** All of them, in the order in which they began. Null when there are many. */
  begun(): Request[] | null;
  /** Connections and threads of the page, which are no requests. */
  others(): { sockets: number; workers: number };
  /** The body of a response. @throws Error if the browser has dropped it */
  body(response: Response): Promise<Buffer>;
  /** Another page follows. */
  restart(): void;
};

/** Requests of these kinds may stay open, or are not what the page waits for. */
const ENDLESS = new Set(['eventsource', 'websocket', 'media', 'ping', 'cspviolationreport']);

/** A request that takes longer hangs, ms. The page may still be at rest: images and fonts have their own warnings. */
const HANGS_MS = 10_000;

/** How long to wait for a worker, and for its script, ms. The browser never says that a shared worker's script has ended. */
const WORKER_MS = 3000;

/** The browser names itself in the requests of pages, not yet in those for the scripts of workers. */
const isWorkerScript = (request: Request) =>
  request.resourceType() === 'script' && request.headers()['user-agent'] === undefined;

/** How long to wait for a body, ms: a script need not read what it fetches, and a stream may have no end. */
const BODY_MS = 3000;
const FETCHES = new Set(['fetch', 'xhr']);
/** Most bodies come with their headers. */
const SHORT_BODY_MS = 300;

/** How often a request may be repeated before it no longer counts. */
const REPEATED = 3;

/** What several steps of a capture read. Each reading sends the whole body through the browser's pipe. */
const KEPT_BODIES = new Set(['document', 'stylesheet']);

/** A list of so many is not kept. */
const MANY = 1000;

/** What needs no network ends at once, and the browser does not always say so. */
const isLocal = (url: string) => /^(?:blob|data):/.test(url);

/** What is requested, without its query: polls and beacons often have the time in it. */
const nameOf = (request: Request) => `${request.method()} ${request.url().split(/[?#]/)[0]}`;

/** Requests of one name. Those that overlap are one turn. */
function followName() {
  let open = 0;
  let turns: number[] = [];
  return {
    begin() {
      open += 1;
    },
    answered() {
      open -= 1;
      if (open === 0) turns = [...turns, performance.now()].slice(-REPEATED);
    },
    repeatedWithin: (ms: number) => turns.length === REPEATED && turns.every((end) => performance.now() - end < ms),
  };
}

/** `until` is how long it is waited for. */
type Open = { name: string; since: number; until: number; answeredAt: number | null };

/** The requests that have no end yet. */
function followOpen() {
  const open = new Map<Request, Open>();
  const names = new Map<string, ReturnType<typeof followName>>();
  const lastEnds = new Map<string, number>();
  const follow = (name: string) => {
    const followed = names.get(name) ?? followName();
    names.set(name, followed);
    return followed;
  };
  const answer = (waiting: Open) => {
    if (waiting.answeredAt === null) follow(waiting.name).answered();
    waiting.answeredAt ??= performance.now();
  };
  return {
    begin(request: Request) {
      const since = performance.now();
      const name = nameOf(request);
      open.set(request, {
        name,
        since,
        until: since + (isWorkerScript(request) ? WORKER_MS : HANGS_MS),
        answeredAt: null,
      });
      follow(name).begin();
    },
    /** Its headers are there. */
    answered(request: Request) {
      const waiting = open.get(request);
      if (waiting === undefined || !FETCHES.has(request.resourceType())) return;
      answer(waiting);
      waiting.until = performance.now() + BODY_MS;
    },
    end(request: Request) {
      const waiting = open.get(request);
      if (waiting === undefined) return;
      answer(waiting);
      open.delete(request);
      lastEnds.set(waiting.name, performance.now());
    },
    hasAny: () => open.size > 0,
    list: () => [...open.values()].filter(({ until }) => performance.now() < until),
    lastEnds: () => [...lastEnds],
    /** Whether requests of this name count. */
    counts: (name: string, unchangedFor: number) => !follow(name).repeatedWithin(unchangedFor),
  };
}

/** A list that is given up when it gets long. */
function listRequests() {
  let list: Request[] | null = [];
  return {
    add(request: Request) {
      if (list?.push(request) === MANY) list = null;
    },
    giveUp() {
      list = null;
    },
    all: () => list,
  };
}

/** Everything that is known of one page. */
const startRecord = () => ({
  opened: performance.now(),
  open: followOpen(),
  begun: listRequests(),
  ended: listRequests(),
  sockets: 0,
  workers: 0,
  bodies: new Map<Response, Promise<Buffer>>(),
});

export function watchRequests(page: Page): Requests {
  let record = startRecord();
  page.on('request', (request) => {
    if (isLocal(request.url())) return;
    record.begun.add(request);
    if (ENDLESS.has(request.resourceType())) record.ended.giveUp();
    else record.open.begin(request);
  });
  page.on('websocket', () => void (record.sockets += 1));
  page.on('worker', () => void (record.workers += 1));
  page.on('response', (response) => record.open.answered(response.request()));
  page.on('requestfinished', (request) => {
    record.open.end(request);
    if (!isLocal(request.url())) record.ended.add(request);
  });
  page.on('requestfailed', (request) => {
    record.open.end(request);
    record.ended.giveUp();
  });
  const inFlight = (unchangedFor = 0) => {
    const { open } = record;
    return open.list().some(({ name }) => open.counts(name, unchangedFor));
  };
  return {
    inFlight,
    hasOpen: () => record.open.hasAny(),
    quietFor(unchangedFor = 0) {
      if (inFlight(unchangedFor)) return 0;
      const { open, opened } = record;
      const ends = open.lastEnds().flatMap(([name, at]) => (open.counts(name, unchangedFor) ? [at] : []));
      return performance.now() - Math.max(opened, ...ends);
    },
    inFlightSince: (start) =>
      record.open
        .list()
        .some(
          ({ since, answeredAt }) =>
            since >= start && (answeredAt === null || performance.now() - answeredAt < SHORT_BODY_MS),
        ),
    oldest() {
      const unanswered = record.open.list().filter(({ answeredAt }) => answeredAt === null);
      return Math.max(0, ...unanswered.map(({ since }) => performance.now() - since));
    },
    ended: () => record.ended.all(),
    begun: () => record.begun.all(),
    others: () => ({ sockets: record.sockets, workers: record.workers }),
    async body(response) {
      const { bodies } = record;
      const body = bodies.get(response) ?? response.body();
      if (KEPT_BODIES.has(response.request().resourceType())) bodies.set(response, body);
      return body;
    },
    restart() {
      record = startRecord();
    },
  };
}

/** A screenshot does not show that one of these is missing, as it does with an image. */
const UNSEEN = new Set(['stylesheet', 'script', 'font']);

/** The suite blocks it, or the page no longer wants it. */
const UNWANTED = /ERR_(?:BLOCKED_BY_CLIENT|ABORTED)/;

/** Null: it has loaded, or is still loading. */
function describeFailure(request: Request): string | null {
  const address = tellAddress(request.url());
  const status = request.existingResponse()?.status() ?? 0;
  // The browser gives up the content of such an answer.
  if (status >= 400) return `${address} (${formatStatus(status)})`;
  const failure = request.failure();
  return failure === null || UNWANTED.test(failure.errorText) ? null : address;
}

/** The parts of a page that did not load, the last time that it asked for them. */
export function listFailedParts(begun: Request[]): string[] {
  const parts = begun.filter((request) => UNSEEN.has(request.resourceType()));
  const byAddress = new Map(parts.map((request) => [request.url(), describeFailure(request)]));
  return [...byAddress.values()].filter((failed) => failed !== null);
}
