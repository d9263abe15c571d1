import { AppError, errorMessage } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import type { LaunchedBrowser } from './launch-browser.ts';

/** Replace the browser after this many pages, because it leaks and fragments memory. A launch takes less than 1 s. */
const MAX_CAPTURES = 200;

/** Permission to use the browser until `release`. */
export type Lease = {
  launched: LaunchedBrowser;
  /** Call this when the browser misbehaved. It is then not leased again. */
  retire(): void;
  release(): void;
};

export type KeptBrowser = {
  /** @throws AppError unavailable `browser_unavailable` when none can be started */
  lease(): Promise<Lease>;
  /** The `engine` of the browser's screenshots. */
  engine(): Promise<string>;
  /** Ends every browser, even those in use. After that, nothing can be leased. */
  close(): Promise<void>;
  isClosed(): boolean;
};

type PooledBrowser = { launched: LaunchedBrowser; captures: number; users: number; retired: boolean };

/** It can't be started now. The original error is the `cause`, for the log. */
function rejectUnavailable(cause: unknown): never {
  const error = new AppError('unavailable', `The browser could not be started: ${errorMessage(cause)}`, {
    code: 'browser_unavailable',
  });
  error.cause = cause;
  throw error;
}

function leaseOf(kept: PooledBrowser, retire: (kept: PooledBrowser) => void): Lease {
  kept.users += 1;
  kept.captures += 1;
  if (kept.captures >= MAX_CAPTURES) kept.retired = true;
  return {
    launched: kept.launched,
    retire: () => retire(kept),
    release() {
      kept.users -= 1;
      if (kept.retired) retire(kept);
    },
  };
}

/**
 * Keeps one browser at a time, launched on first use. It is replaced when it disconnects, misbehaves or has been used
 * too often.
 */
export function createBrowserPool(launch: () => Promise<LaunchedBrowser>, log: Logger): KeptBrowser {
  const alive = new Set<PooledBrowser>();
  let current: Promise<PooledBrowser> | null = null;
  let closed = false;

  async function end(kept: PooledBrowser): Promise<void> {
    await kept.launched.browser.close().catch((error: unknown) => {
      log.warn({ reason: errorMessage(error) }, 'browser did not close');
    });
    alive.delete(kept);
  }

  async function start(): Promise<PooledBrowser> {
    const launched = await launch().catch(rejectUnavailable);
    const kept: PooledBrowser = { launched, captures: 0, users: 0, retired: false };
    alive.add(kept);
    launched.browser.on('disconnected', () => {
      kept.retired = true;
      alive.delete(kept);
    });
    if (closed) {
      await end(kept);
      throw new Error('The browser is closed');
    }
    log.info({ engine: launched.engine }, 'browser started');
    return kept;
  }

  async function usable(): Promise<PooledBrowser> {
    for (;;) {
      if (closed) throw new Error('The browser is closed');
      const starting = (current ??= start());
      try {
        const kept = await starting;
        if (!kept.retired && kept.launched.browser.isConnected()) return kept;
      } catch (error) {
        if (current === starting) current = null;
        throw error;
      }
      if (current === starting) current = null;
    }
  }

  function retire(kept: PooledBrowser): void {
    kept.retired = true;
    if (kept.users === 0 && alive.has(kept)) void end(kept);
  }

  return {
    lease: async () => leaseOf(await usable(), retire),
    engine: async () => (await usable()).launched.engine,
    async close() {
      closed = true;
      await current?.catch(() => undefined);
      await Promise.all([...alive].map(end));
    },
    isClosed: () => closed,
  };
}
