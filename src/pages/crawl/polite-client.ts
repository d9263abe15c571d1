import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { FetchError, parseRetryAfter, type FetchRequest, type FetchResponse } from '../../net/network.ts';
import { formatCount, formatDuration, formatStatus } from '../../text/format.ts';
import { CrawlCancelled, type CrawlOptions, type DiscoverTools } from './discovery.ts';

const CONCURRENCY = 4;
const RETRIES = 2;
const FIRST_BACKOFF_MS = 500;
/** If a page asks for a longer pause, it is not requested again in this crawl. */
const MAX_PAUSE_MS = 30_000;
/** Limit for all pauses together. After that, failed requests are not retried. */
const PAUSE_BUDGET_MS = 180_000;
/** After this many failed requests in a row, the site is down or does not want to be crawled. */
const MAX_FAILURES_IN_A_ROW = 20;
const MAX_DURATION_MS = 3_600_000;

type Reply = { kind: 'answer'; response: FetchResponse } | { kind: 'unavailable'; reason: string };

export type PoliteClient = {
  /** Waits for its turn. Retries busy answers (429, 5xx) and broken connections, within limits. */
  get(url: string, options: Pick<FetchRequest, 'maxBytes' | 'wantsBody'>): Promise<Reply>;
  /** Milliseconds between the starts of two requests (robots.txt `Crawl-delay`). */
  setSpacing(milliseconds: number): void;
  /** Why the crawl must stop. Null while it may continue. */
  exhausted(): string | null;
};

/** Null when a retry would not help. `after` is the pause that the site asked for, in milliseconds. */
type Retry = { after: number; forAll: boolean } | null;

async function attempt(
  fetch: DiscoverTools['fetch'],
  request: FetchRequest,
  now: () => number,
): Promise<{ reply: Reply; retry: Retry }> {
  try {
    const response = await fetch(request);
    const { status, headers } = response;
    if (status !== 429 && status < 500) return { reply: { kind: 'answer', response }, retry: null };
    const after = parseRetryAfter(headers['retry-after'], now());
    const reason = `it returned ${formatStatus(status)}`;
    const retry = { after: after ?? 0, forAll: status === 429 || after !== null };
    return { reply: { kind: 'unavailable', reason }, retry };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const retry = error.failure === 'unreachable' ? { after: 0, forAll: false } : null;
    return { reply: { kind: 'unavailable', reason: error.message }, retry };
  }
}

/** The requests to one site: four at a time, with the spacing and the pauses that it asks for. */
export function createPoliteClient(
  { fetch, isCancelled = async () => false, now = Date.now, wait = (ms) => sleep(ms) }: Omit<DiscoverTools, 'render'>,
  options: Pick<CrawlOptions, 'userAgent' | 'timeout'> & { maxRequests: number },
): PoliteClient {
  const startedAt = now();
  const inSlot = pLimit(CONCURRENCY);
  let requests = 0;
  let spacing = 0;
  let nextStart = 0;
  let paused = 0;
  let failuresInARow = 0;

  const turn = async (): Promise<void> => {
    const time = now();
    const start = Math.max(time, nextStart);
    nextStart = start + spacing;
    requests += 1;
    if (start > time) await wait(start - time);
    if (await isCancelled()) throw new CrawlCancelled('The crawl was cancelled');
  };

  const attempts = async (request: FetchRequest): Promise<Reply> => {
    for (let count = 0; ; count += 1) {
      await turn();
      const { reply, retry } = await attempt(fetch, request, now);
      const delay = Math.max(retry?.after ?? 0, FIRST_BACKOFF_MS * 2 ** count);
      const mayRetry = retry !== null && count < RETRIES && delay <= MAX_PAUSE_MS && paused + delay <= PAUSE_BUDGET_MS;
      if (!mayRetry) return reply;
      paused += delay;
      // A rate limit applies to the whole site, so all requests wait.
      if (retry.forAll) nextStart = Math.max(nextStart, now() + delay);
      else await wait(delay);
    }
  };

  return {
    async get(url, { maxBytes, wantsBody }) {
      const { userAgent, timeout } = options;
      const request = { url, userAgent, timeout, maxBytes, ...(wantsBody === undefined ? {} : { wantsBody }) };
      const reply = await inSlot(() => attempts(request));
      failuresInARow = reply.kind === 'answer' ? 0 : failuresInARow + 1;
      return reply;
    },
    setSpacing(milliseconds) {
      spacing = milliseconds;
    },
    exhausted() {
      if (failuresInARow >= MAX_FAILURES_IN_A_ROW)
        return `The site stopped responding: ${MAX_FAILURES_IN_A_ROW} failures in a row`;
      if (requests >= options.maxRequests) return `The crawl stopped after ${formatCount(requests, 'request')}`;
      if (now() - startedAt >= MAX_DURATION_MS)
        return `The crawl stopped after ${formatDuration(MAX_DURATION_MS / 1000, 'long')}`;
      return null;
    },
  };
}
