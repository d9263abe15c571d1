import { urlencoded } from 'express';
import type { RequestHandler } from 'express';
import { AppError } from '../errors.ts';
import { hasBody } from '../http/json-body.ts';

/**
 * 20,000, because a form with all pages of the largest suite (10,000) ticked sends at least one field for each page.
 */
const parse = urlencoded({ extended: false, limit: '1mb', parameterLimit: 20_000 });

/** Reads a form's fields into `req.body`. Other content types are rejected explicitly, not treated as an empty form. */
export const formBody: RequestHandler = (req, res, next) => {
  if (hasBody(req) && req.is('urlencoded') === false) {
    const details = { code: 'unsupported_media_type' };
    next(new AppError('unsupported_media_type', 'Forms must be sent as application/x-www-form-urlencoded', details));
    return;
  }
  parse(req, res, next);
};
