import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { isUnavailable } from '../db/unavailable.ts';
import { AppError, hasCode, notFound, type ErrorDetails, type ErrorKind, type Issue } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { loggedPath } from './access-log.ts';

const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  unavailable: 503,
};

const FOREIGN_KEY_VIOLATION = '23503';

/** A new row refers to one that was deleted since the request began. Or to one that never was, which is a fault of ours. */
const refersToNothing = (error: unknown): boolean => hasCode(error, FOREIGN_KEY_VIOLATION);

/** PostgreSQL gave up the transaction for the sake of another: a serialization failure, a deadlock. */
const GIVEN_UP = ['40001', '40P01'];

/** A statement took longer than its session allows (`connect.ts`), or an operator has cancelled it. */
const TOO_LONG = '57014';

/** Seconds after which a client may try again when the database or the storage could not do the work. */
const UNAVAILABLE_RETRY_SECONDS = 5;

/** What a client may see of a failure (docs/rules.md, Who may do what). */
export type Failure = {
  status: number;
  body: { error: string; details: ErrorDetails };
  /** Seconds, for `Retry-After`. */
  retryAfter: number | null;
};

type Transport = { status: number; message: string; code: string };

const MALFORMED: Transport = { status: 400, message: 'The request is malformed', code: 'bad_request' };

/** Errors of Express and its body parser, by `type` or else by status. */
const TRANSPORT: Record<string, Transport> = {
  'entity.parse.failed': { status: 400, message: 'The body is not valid JSON', code: 'malformed_json' },
  'entity.too.large': { status: 413, message: 'The body is larger than 1 MiB', code: 'payload_too_large' },
  'parameters.too.many': { status: 413, message: 'The form has too many fields', code: 'payload_too_large' },
  'encoding.unsupported': { status: 415, message: 'The encoding is not supported', code: 'unsupported_media_type' },
  'charset.unsupported': { status: 415, message: 'The charset is not supported', code: 'unsupported_media_type' },
  'request.aborted': { status: 400, message: 'The request was aborted', code: 'bad_request' },
  'request.size.invalid': {
    status: 400,
    message: 'The length of the body does not match its Content-Length',
    code: 'bad_request',
  },
};

function findTransportFailure(error: unknown): Transport | null {
  if (error instanceof URIError) return MALFORMED;
  if (!(error instanceof Error)) return null;
  if ('type' in error && typeof error.type === 'string') return TRANSPORT[error.type] ?? null;
  return 'status' in error && error.status === 400 ? MALFORMED : null;
}

/** How many names that are not known are listed. A body may have thousands. */
const MOST_UNKNOWN = 10;

/**
 * Lists the issues by field, such as `config.viewports.0.width`. The field is empty if the issue is about the whole
 * input.
 */
function listIssues(error: z.ZodError): Issue[] {
  const at = (path: PropertyKey[], message: string): Issue => ({ path: path.map(String).join('.'), message });
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, MOST_UNKNOWN).map((key) => at([...issue.path, key], 'is not known here'))
      : [at(issue.path, issue.message)],
  );
}

function failure(status: number, error: string, details: ErrorDetails, retryAfter: number | null = null): Failure {
  return { status, body: { error, details }, retryAfter };
}

/** Why the same request may succeed later. Null: it would not. */
function explainUnavailable(error: unknown): string | null {
  if (hasCode(error, ...GIVEN_UP)) return 'Somebody else was changing the same thing. Try again';
  if (hasCode(error, TOO_LONG)) return 'The database took too long to answer. Try again later';
  return isUnavailable(error) ? 'Pixelgate cannot reach its database or storage' : null;
}

/** Turns anything thrown into what a client may see. Internal details are never included. */
export function toFailure(error: unknown): Failure {
  if (error instanceof AppError) {
    const { retryAfter } = error.details;
    const seconds = typeof retryAfter === 'number' ? retryAfter : null;
    const fallback = error.kind === 'unavailable' ? UNAVAILABLE_RETRY_SECONDS : null;
    return failure(STATUS[error.kind], error.message, error.details, seconds ?? fallback);
  }
  if (error instanceof z.ZodError) {
    return failure(400, 'The request is not valid', { code: 'validation_failed', issues: listIssues(error) });
  }
  if (refersToNothing(error)) {
    return failure(404, 'It was deleted in the meantime', { code: 'not_found' });
  }
  const transport = findTransportFailure(error);
  if (transport !== null) return failure(transport.status, transport.message, { code: transport.code });
  const unavailable = explainUnavailable(error);
  if (unavailable !== null) return failure(503, unavailable, { code: 'unavailable' }, UNAVAILABLE_RETRY_SECONDS);
  return failure(500, 'Something went wrong', { code: 'internal' });
}

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

/**
 * Failures that a client caused are not logged. Our own faults are errors. An unreachable database or storage is a
 * warning, as is what may be a fault of ours.
 */
export function logFailure(log: Logger, req: Request, res: Response, error: unknown, { status }: Failure): void {
  if (status < 500 && !refersToNothing(error)) return;
  const { requestId } = res.locals;
  const level = status === 500 ? 'error' : 'warn';
  log[level]({ err: error, requestId, method: req.method, path: loggedPath(req) }, 'request failed');
}

/** When a client may try again, if the failure says so. */
export function setRetryAfter(res: Response, { retryAfter }: Failure): void {
  if (retryAfter !== null) res.setHeader('Retry-After', String(retryAfter));
}
