import type { RequestHandler } from 'express';
import { withTimeLimit } from '../async/time-limit.ts';
import type { Context } from '../context.ts';
import { assertMigrated } from '../db/migrate.ts';
import { AppError, errorMessage } from '../errors.ts';

const CHECK_TIMEOUT_MS = 3_000;

/** Liveness only checks that the process responds. */
export const liveness: RequestHandler = (_req, res) => {
  res.setHeader('Cache-Control', 'no-store');
  res.json({ status: 'ok' });
};

/** `reason`: why the part is not usable. Null if it is usable. */
type Part = { name: string; reason: string | null };

/** A part that does not respond in time counts as failed. */
async function examine(name: string, use: () => Promise<unknown>): Promise<Part> {
  try {
    await withTimeLimit(CHECK_TIMEOUT_MS, use(), () => new Error(`no response within ${CHECK_TIMEOUT_MS} ms`));
    return { name, reason: null };
  } catch (error) {
    return { name, reason: errorMessage(error) };
  }
}

/** The reasons go to the log, not to the client. */
function notReady(away: Part[], checks: Record<string, string>): AppError {
  const message = `Not ready: ${away.map(({ name }) => name).join(' and ')} unavailable`;
  const error = new AppError('unavailable', message, { code: 'not_ready', checks });
  error.cause = new Error(away.map(({ name, reason }) => `${name}: ${reason}`).join('; '));
  return error;
}

/**
 * Responds 503 with the names of the parts that can't be used, or don't respond within three seconds: the database, with the
 * schema of this version, the storage, and in a worker what captures.
 * @param capture rejects while nothing can be captured; null in a process that never captures
 */
export function readiness(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  capture: (() => Promise<void>) | null,
): RequestHandler {
  return async (_req, res) => {
    const parts = await Promise.all([
      examine('database', async () => assertMigrated(db)),
      examine('storage', async () => storage.check()),
      ...(capture === null ? [] : [examine('capture', capture)]),
    ]);
    const checks = Object.fromEntries(parts.map(({ name, reason }) => [name, reason === null ? 'ok' : 'failed']));
    const away = parts.filter(({ reason }) => reason !== null);
    if (away.length > 0) throw notReady(away, checks);
    res.setHeader('Cache-Control', 'no-store');
    res.json({ status: 'ok', checks });
  };
}
