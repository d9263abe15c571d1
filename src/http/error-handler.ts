import type { ErrorRequestHandler, RequestHandler } from 'express';
import { notFound } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { loggedPath } from './access-log.ts';
import { failureOf } from './failure.ts';

export const notFoundHandler: RequestHandler = (_req, _res, next) => {
  next(notFound('The address'));
};

/** The one place where an error becomes an answer. Once the headers are out, the connection is cut instead. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const failure = failureOf(error);
    if (failure.status >= 500) {
      const { requestId } = res.locals;
      const level = failure.status === 500 ? 'error' : 'warn';
      log[level]({ err: error, requestId, method: req.method, path: loggedPath(req) }, 'request failed');
    }
    if (res.headersSent) {
      res.destroy();
      return;
    }
    if (failure.retryAfter !== null) res.setHeader('Retry-After', String(failure.retryAfter));
    res.removeHeader('ETag');
    res.setHeader('Cache-Control', 'no-store');
    res.status(failure.status).json(failure.body);
  };
}
