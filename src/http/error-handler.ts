import type { ErrorRequestHandler, RequestHandler } from 'express';
import { notFound } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { toFailure } from './failure.ts';
import { logFailure, setRetryAfter } from './report-failure.ts';

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
