import { urlencoded } from 'express';
import type { RequestHandler } from 'express';
import { AppError } from '../errors.ts';
import { hasBody } from '../http/json-body.ts';

/** Ticking every page of the largest suite (10,000) sends as many fields. */
const parse = urlencoded({ extended: false, limit: '1mb', parameterLimit: 20_000 });

/** Reads a form's fields into `req.body`. Anything else that is sent is refused by name, not taken for an empty form. */
export const formBody: RequestHandler = (req, res, next) => {
  if (hasBody(req) && req.is('urlencoded') === false) {
    const details = { code: 'unsupported_media_type' };
    next(new AppError('unsupported_media_type', 'Forms must be sent as application/x-www-form-urlencoded', details));
    return;
  }
  parse(req, res, next);
};
