import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { parseWait } from './github-rate-limit.ts';
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
