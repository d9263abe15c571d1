import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Logger } from '../logger.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The ID of the request in the log and in `X-Request-Id`. */
      requestId: string;
      /** The matching route template, such as `/api/test-suites/:id`. As a label it has few values. */
      route?: string;
    }
  }
}

/** Machines call these every few seconds. At level info they would hide everything else. */
const QUIET = /^\/(healthz|readyz|metrics|files\/)/;

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Milliseconds since `startedAt`, a value of `process.hrtime.bigint()`. */
export function millisecondsSince(startedAt: bigint): number {
  return Number(process.hrtime.bigint() - startedAt) / 1e6;
}

/** Until it is used, a one-time link is as sensitive as a password. */
const ONE_TIME_LINK = /^\/(sign-in|invitations)\/[^/]+/;

/** The part of a URL that may be logged. */
export function loggedPath({ path }: Pick<Request, 'path'>): string {
  return path.replace(ONE_TIME_LINK, '/$1/:token');
}

/** Writes one line per request, without the query: that may hold a reset token or a signature. */
export function accessLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = process.hrtime.bigint();
    const { method } = req;
    const path = loggedPath(req);
    const sent = req.get('x-request-id');
    const requestId = sent !== undefined && REQUEST_ID.test(sent) ? sent : randomUUID();
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
