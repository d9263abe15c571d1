import express, { type Request, type RequestHandler } from 'express';
import { AppError } from '../errors.ts';

/** An empty body counts as no body. */
function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/**
 * Reads a body of these types into `req.body`. Others are refused, and not treated as an empty one. Without a body it
 * is `undefined`, and each route decides whether that is allowed.
 */
export const readBody =
  (types: string[], parse: RequestHandler, refusal: string): RequestHandler =>
  (req, res, next) => {
    if (!hasBody(req)) next();
    else if (req.is(types) === false) next(new AppError('unsupported_media_type', refusal));
    else void parse(req, res, next);
  };

const JSON_TYPES = ['application/json', '+json'];
const LIMIT_BYTES = 1024 * 1024;

/** JSON only, 1 MiB at most. */
export const jsonBody = readBody(
  JSON_TYPES,
  express.json({ limit: LIMIT_BYTES, type: JSON_TYPES }),
  'The body must be application/json',
);
