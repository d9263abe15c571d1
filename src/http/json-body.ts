import express from 'express';
import type { Request, RequestHandler } from 'express';
import { AppError } from '../errors.ts';

const LIMIT_BYTES = 1024 * 1024;

const parse = express.json({ limit: LIMIT_BYTES, type: ['application/json', '+json'] });

/** One of no bytes is none. */
export function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/**
 * Reads the body into `req.body`: JSON only, 1 MiB at most (contract 5). No body at all is `undefined`, which each
 * route judges for itself; a body on a GET is not looked at.
 */
export const jsonBody: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD' || !hasBody(req)) {
    next();
    return;
  }
  if (req.is(['application/json', '+json']) === false) {
    const details = { code: 'unsupported_media_type' };
    next(new AppError('unsupported_media_type', 'The body must be application/json', details));
    return;
  }
  parse(req, res, next);
};
