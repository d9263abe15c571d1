import type { RequestHandler } from 'express';
import { AppError } from '../errors.ts';

/**
 * Goes after the handlers of a path and responds to all methods that they did not handle. OPTIONS lists the supported
 * methods. There is no CORS, because no other site may act on behalf of a visitor.
 */
export function allowOnly(methods: readonly string[]): RequestHandler {
  const upper = methods.map((method) => method.toUpperCase());
  const allow = [...upper, ...(upper.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (req, res, next) => {
    res.set('Allow', allow);
    if (req.method === 'OPTIONS') {
      res.status(204).end();
      return;
    }
    const details = { code: 'method_not_allowed', allow };
    next(new AppError('method_not_allowed', `${req.method} is not allowed here`, details));
  };
}
