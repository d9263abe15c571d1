import express, { type Request, type RequestHandler } from 'express';
import { AppError } from '../errors.ts';

const LIMIT_BYTES = 1024 * 1024;

const parse = express.json({ limit: LIMIT_BYTES, type: ['application/json', '+json'] });

/** An empty body counts as no body. */
export function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/**
 * Reads the body into `req.body`: JSON only, 1 MiB at most. Without a body it is `undefined`, and each
 * route decides whether that is allowed. The body of a GET is ignored.
 */
export const jsonBody: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD' || !hasBody(req)) {
    next();
    return;
  }
  if (req.is(['application/json', '+json']) === false) {
    next(new AppError('unsupported_media_type', 'The body must be application/json'));
    return;
  }
  parse(req, res, next);
};
