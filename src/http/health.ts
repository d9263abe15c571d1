import type { RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';

const CHECK_TIMEOUT_MS = 3_000;

/** The process answers: that is all that liveness asks. */
export const liveness: RequestHandler = (_req, res) => {
  res.setHeader('Cache-Control', 'no-store');
  res.json({ status: 'ok' });
};

/** A part that hangs is a part that failed. */
async function outcomeOf(check: () => Promise<unknown>): Promise<'ok' | 'failed'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('failed'), CHECK_TIMEOUT_MS);
    const settle = (outcome: 'ok' | 'failed') => {
      clearTimeout(timer);
      resolve(outcome);
    };
    check().then(
      () => settle('ok'),
      () => settle('failed'),
    );
  });
}

/** 503 while the database or the storage does not answer within three seconds, with the name of the part. */
export function readiness({ db, storage }: Pick<Context, 'db' | 'storage'>): RequestHandler {
  return async (_req, res) => {
    const [database, files] = await Promise.all([
      outcomeOf(async () => db.raw('select 1')),
      outcomeOf(async () => storage.check()),
    ]);
    const checks = { database, storage: files };
    const away = Object.entries(checks).flatMap(([part, outcome]) => (outcome === 'ok' ? [] : [part]));
    if (away.length > 0) {
      throw new AppError('unavailable', `Not ready: ${away.join(' and ')} cannot be used`, {
        code: 'not_ready',
        checks,
      });
    }
    res.setHeader('Cache-Control', 'no-store');
    res.json({ status: 'ok', checks });
  };
}
