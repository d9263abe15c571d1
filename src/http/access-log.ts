import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Logger } from '../logger.ts';

declare global {
  namespace Express {
    interface Locals {
      /** Names the request in the log and in `X-Request-Id`. */
      requestId: string;
      /** The template that answered, as in `/api/test-suites/:id`: a label with few values. */
      route?: string;
    }
  }
}

/** Called by machines every few seconds: at info they would drown the rest. */
const QUIET = /^\/(healthz|readyz|metrics|files\/)/;

const REQUEST_ID = /^[\w.-]{1,64}$/;

function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** Milliseconds since `startedAt`, which is of `process.hrtime.bigint()`. */
export function millisecondsSince(startedAt: bigint): number {
  return Number(process.hrtime.bigint() - startedAt) / 1e6;
}

/** A one-time link is as good as a password until it has been used. */
const SIGN_IN_LINK = /^\/sign-in\/.+/;

/** What may be written down of an address. */
export function loggedPath({ path }: Pick<Request, 'path'>): string {
  return path.replace(SIGN_IN_LINK, '/sign-in/:token');
}

/** One line a request, without its query: that may hold a reset token or a signature. */
export function accessLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = process.hrtime.bigint();
    const { method } = req;
    const path = loggedPath(req);
    const requestId = requestIdOf(req.get('x-request-id'));
    res.locals.requestId = requestId;
    res.setHeader('X-Request-Id', requestId);
    res.on('close', () => {
      const level = QUIET.test(path) ? 'debug' : 'info';
      const duration = Math.round(millisecondsSince(startedAt));
      const aborted = !res.writableFinished;
      log[level]({ requestId, method, path, status: res.statusCode, duration, aborted }, 'request');
    });
    next();
  };
}
