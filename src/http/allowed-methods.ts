import type { RequestHandler } from 'express';
import { AppError } from '../errors.ts';

/**
 * Goes after the handlers of an address: answers every method that none of them took. OPTIONS lists what there is. There
 * is no CORS, as no other site may call on a visitor's behalf.
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
