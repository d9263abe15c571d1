import type { ErrorRequestHandler, Request } from 'express';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { failureOf } from '../http/failure.ts';
import { asksForPart } from './serve-row.ts';
import type { Printer } from './show-layout.ts';
import { printPage, printPart } from './show-layout.ts';

/** What answers programs, whatever they say that they accept. */
const FOR_PROGRAMS = /^\/(api|files|static|healthz|readyz|metrics)(\/|$)/;

function isForPeople(req: Request): boolean {
  return !FOR_PROGRAMS.test(req.path) && req.accepts(['html', 'json']) === 'html';
}

const HEADINGS: Record<number, string> = {
  400: 'That did not work',
  401: 'Sign in first',
  403: 'You may not do this',
  404: 'Nothing is here',
  409: 'That is not possible now',
  413: 'That is too much',
  429: 'Too many attempts',
  503: 'Away for a moment',
};

/** Of nobody, when even that can't be found out. */
async function viewerOf(find: () => Promise<Viewer | null>): Promise<Viewer | null> {
  try {
    return await find();
  } catch {
    return null;
  }
}

/** The error page for people. Programs, and what failed when the headers were out, go on to the next handler. */
export function showError(ctx: Context, printer: Printer): ErrorRequestHandler {
  return async (error: unknown, req, res, next) => {
    if (res.headersSent || !isForPeople(req)) {
      next(error);
      return;
    }
    const { status, body, retryAfter } = failureOf(error);
    const { requestId } = res.locals;
    if (status >= 500) ctx.log.error({ err: error, requestId, method: req.method, path: req.path }, 'request failed');
    if (retryAfter !== null) res.setHeader('Retry-After', String(retryAfter));
    res.set('Cache-Control', 'no-store').status(status).type('html');
    const heading = HEADINGS[status] ?? 'Something went wrong';
    const model = { status, heading, message: body.error, requestId: status >= 500 ? requestId : null };
    const viewer = await viewerOf(async () => res.locals.session?.viewer() ?? null);
    if (asksForPart(req)) {
      res.send(printPart(printer, req, viewer, { kind: 'part', view: 'partials/failure', model }));
      return;
    }
    res.send(
      printPage(ctx, printer, { req, res }, viewer, {
        kind: 'page',
        view: 'error',
        title: heading,
        model,
        width: 'narrow',
      }),
    );
  };
}
