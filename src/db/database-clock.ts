import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { errorMessage } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { readValue } from './database.ts';
import type { Statements } from './query.ts';

const MEASURE_EVERY_MS = 30_000;
/** A connection had to be opened first, so the answer is less precise. */
const SLOW_MS = 50;

/** What to add to `performance.now()` to get the database's time, and how far off it may be, in milliseconds. */
type Measured = { offset: number; error: number };

async function measureOnce(db: Statements): Promise<Measured> {
  const sent = performance.now();
  const now = await readValue(db, z.date(), 'select clock_timestamp() as now');
  const received = performance.now();
  return { offset: now.getTime() - (sent + received) / 2, error: (received - sent) / 2 };
}

async function measure(db: Statements): Promise<Measured> {
  const first = await measureOnce(db);
  if (first.error < SLOW_MS) return first;
  const second = await measureOnce(db);
  return second.error < first.error ? second : first;
}

export type DatabaseClock = { now(): Date; stop(): void };

/**
 * The database's time, without asking it each time. All hosts compare stored times with this one, so it does not matter
 * what their own clocks say. Until the database answers, it is the host's time.
 */
export async function startDatabaseClock(db: Statements, log: Logger): Promise<DatabaseClock> {
  let offset = Date.now() - performance.now();
  const set = async () => {
    try {
      ({ offset } = await measure(db));
    } catch (error) {
      log.debug({ reason: errorMessage(error) }, 'the time of the database could not be read');
    }
  };
  await set();
  const timer = setInterval(() => void set(), MEASURE_EVERY_MS).unref();
  return { now: () => new Date(Math.round(performance.now() + offset)), stop: () => clearInterval(timer) };
}
