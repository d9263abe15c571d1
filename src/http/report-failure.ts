import type { Request, Response } from 'express';
import type { Logger } from '../logger.ts';
import { loggedPath } from './access-log.ts';
import type { Failure } from './failure.ts';

/**
 * Failures that a client caused are not logged. Our own faults are errors. An unreachable database or storage is a
 * warning.
 */
export function logFailure(log: Logger, req: Request, res: Response, error: unknown, { status }: Failure): void {
  if (status < 500) return;
  const { requestId } = res.locals;
  const level = status === 500 ? 'error' : 'warn';
  log[level]({ err: error, requestId, method: req.method, path: loggedPath(req) }, 'request failed');
}

/** When a client may try again, if the failure says so. */
export function setRetryAfter(res: Response, { retryAfter }: Failure): void {
  if (retryAfter !== null) res.setHeader('Retry-After', String(retryAfter));
}
