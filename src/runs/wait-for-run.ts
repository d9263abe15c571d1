import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { findRunStatus } from './run-store.ts';
import { isInFlight, type RunStatus } from './run.ts';

/** Clients and proxies give up after a minute. */
export const MOST_WAIT_SECONDS = 45;
const LOOK_MS = 1_000;

/** How many requests of one process wait. Each looks once a second; one more is answered at once. */
const MOST_WAITING = 100;

let waiting = 0;

/** Returns when the run has ended, or after these seconds, or when the client has left. */
export async function waitForRun(
  { db }: Pick<Context, 'db'>,
  run: { id: string; status: RunStatus },
  seconds: number,
  gone: AbortSignal,
): Promise<void> {
  if (!isInFlight(run.status) || waiting >= MOST_WAITING) return;
  waiting += 1;
  try {
    for (let left = seconds * 1000; left > 0; left -= LOOK_MS) {
      await sleep(Math.min(LOOK_MS, left), undefined, { signal: gone });
      const status = await findRunStatus(db, run.id);
      if (status === null || !isInFlight(status)) return;
    }
  } catch (error) {
    if (!gone.aborted) throw error;
  } finally {
    waiting -= 1;
  }
}
