import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { parseRetryAfter } from '../../net/network.ts';
import { extendPause, findPause } from './installation-store.ts';

/** The jobs of a lane share its places, so longer waits are left to the queue. */
const PATIENCE_MS = 5_000;
const MOST_TRIES = 4;

/** GitHub wants no requests for a while. A job that throws this is tried again later. */
export class GitHubBusy extends Error {
  readonly until: Date;

  constructor(until: Date, cause?: unknown) {
    super(`GitHub asked Pixelgate to wait until ${until.toISOString()}`, { cause });
    this.name = 'GitHubBusy';
    this.until = until;
  }
}

type LimitContext = Pick<Context, 'db' | 'log' | 'clock'>;
type Send<O, R> = (options: O) => R | Promise<R>;

/** Waits until a short pause is over. */
async function awaitPause({ db, clock }: LimitContext, installationId: number, cause?: unknown): Promise<void> {
  const until = await findPause(db, installationId);
  const left = until === null ? 0 : until.getTime() - clock.now().getTime();
  if (until !== null && left > PATIENCE_MS) throw new GitHubBusy(until, cause);
  if (left > 0) await sleep(left);
}

/**
 * Makes an Octokit obey GitHub's limits: `Retry-After`, a used-up limit, a secondary limit. The pause is kept in the
 * database. It holds back all requests for the installation, on every thread and host.
 */
export function respectRateLimits(ctx: LimitContext, installationId: number) {
  return async <O, R>(send: Send<O, R>, options: O): Promise<R> => {
    let cause: unknown;
    for (let tries = 1; ; tries += 1) {
      await awaitPause(ctx, installationId, cause);
      try {
        return await send(options);
      } catch (error) {
        const now = ctx.clock.now();
        const wait = parseWait(error, now);
        if (wait === null) throw error;
        const until = new Date(now.getTime() + wait);
        await extendPause(ctx.db, installationId, until);
        ctx.log.warn({ installationId, until }, 'GitHub asked to wait');
        if (tries === MOST_TRIES) throw new GitHubBusy(until, error);
        cause = error;
      }
    }
  };
}

/** GitHub's recommended wait for a secondary limit that gives no time. */
const FALLBACK_MS = 60_000;
/** No limit of GitHub's lasts longer. A longer value must be wrong. */
const LONGEST_MS = 3_600_000;

const Failure = z.object({
  status: z.number(),
  message: z.string(),
  /** Missing when no answer came. */
  response: z.object({ headers: z.record(z.string(), z.unknown()).catch({}) }).optional(),
  request: z.object({ url: z.string() }).optional().catch(undefined),
});

/** A request that failed, as Octokit throws it. Null: any other error. */
export const readFailure = (error: unknown): z.output<typeof Failure> | null =>
  error instanceof Error ? (Failure.safeParse(error).data ?? null) : null;

type Headers = Record<string, unknown>;

/** Empty when the header is missing. */
function readHeader(headers: Headers, name: string): string {
  const value = headers[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/**
 * The primary limit: used up until the second that `x-ratelimit-reset` names. If that has passed, our clock is ahead of
 * GitHub's, and requests without a wait would be refused endlessly.
 */
function resetMs(headers: Headers, now: Date): number | null {
  if (readHeader(headers, 'x-ratelimit-remaining') !== '0') return null;
  const reset = readHeader(headers, 'x-ratelimit-reset');
  const wait = /^\d+$/.test(reset) ? (Number(reset) + 1) * 1000 - now.getTime() : 0;
  return wait > 0 ? wait : FALLBACK_MS;
}

/**
 * The milliseconds that GitHub asks us to wait before the next request. It reads `Retry-After` first, then a used-up
 * limit, then the message of a secondary limit. Null: any other failure.
 */
export function parseWait(error: unknown, now: Date): number | null {
  const failure = readFailure(error);
  if (failure?.response === undefined || ![403, 429, 503].includes(failure.status)) return null;
  const {
    status,
    message,
    response: { headers },
  } = failure;
  const limited = status === 429 || (status === 403 && /rate limit|abuse detection/i.test(message));
  const wait =
    parseRetryAfter(readHeader(headers, 'retry-after'), now.getTime()) ??
    resetMs(headers, now) ??
    (limited ? FALLBACK_MS : null);
  return wait === null ? null : Math.min(Math.max(wait, 0), LONGEST_MS);
}

/** True when GitHub refused the request because of a rate limit. Only the wait depends on the time, not the fact. */
export function isRateLimited(error: unknown): boolean {
  return parseWait(error, new Date(0)) !== null;
}
