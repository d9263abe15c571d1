import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { notFound } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { loggedPath } from './access-log.ts';
import { refersToNothing, toFailure, type Failure } from './failure.ts';

export const notFoundHandler: RequestHandler = (_req, _res, next) => {
  next(notFound('URL'));
};

/** Tells API clients what went wrong. If the headers were already sent, the connection is closed instead. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const failure = toFailure(error);
    logFailure(log, req, res, error, failure);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    setRetryAfter(res, failure);
    res.removeHeader('ETag');
    res.setHeader('Cache-Control', 'no-store');
    res.status(failure.status).json(failure.body);
  };
}

/**
 * Failures that a client caused are not logged. Our own faults are errors. An unreachable database or storage is a
 * warning, as is what may be a fault of ours.
 */
export function logFailure(log: Logger, req: Request, res: Response, error: unknown, { status }: Failure): void {
  if (status < 500 && !refersToNothing(error)) return;
  const { requestId } = res.locals;
  const level = status === 500 ? 'error' : 'warn';
  log[level]({ err: error, requestId, method: req.method, path: loggedPath(req) }, 'request failed');
}

/** When a client may try again, if the failure says so. */
export function setRetryAfter(res: Response, { retryAfter }: Failure): void {
  if (retryAfter !== null) res.setHeader('Retry-After', String(retryAfter));
}
