import express, { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { AppError } from '../errors.ts';
import { readBody } from './read-body.ts';
import { allowOnly } from './serve-endpoints.ts';

const PATH = '/api/github/webhooks';

/** GitHub's own maximum. */
const LIMIT_BYTES = 25 * 1024 * 1024;

/** Receives one delivery: the headers as Node gives them, and the exact bytes of the body. */
type ReceiveWebhook = (request: {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}) => Promise<void>;

const label: RequestHandler = (_req, res, next) => {
  res.locals.route = PATH;
  next();
};

/** The shared message for a body that is too large gives the limit of the API. */
const tooLarge: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  const isTooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
  next(isTooLarge ? new AppError('payload_too_large', 'The delivery is larger than 25 MiB') : error);
};

function receiving(receive: ReceiveWebhook): RequestHandler {
  return async (req, res) => {
    const body: unknown = req.body;
    await receive({ headers: req.headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) });
    res.json({ message: 'Delivery accepted' });
  };
}

/** POST /api/github/webhooks. It bypasses the session and the API's body parser. */
export function webhooksRouter(receive: ReceiveWebhook): Router {
  const router = Router();
  const rawBody = readBody(
    ['application/json'],
    express.raw({ type: () => true, limit: LIMIT_BYTES, inflate: false }),
    'The content type of the webhook must be application/json',
  );
  router
    .route(PATH)
    .post(label, rawBody, receiving(receive))
    .all(allowOnly(['post']));
  router.use(tooLarge);
  return router;
}
