import type { Request, RequestHandler, Response } from 'express';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { failureOf } from '../http/failure.ts';
import { ownPath } from '../http/own-path.ts';
import { clearSessionCookie, setSessionCookie } from '../http/session.ts';
import { leaveNotice, setTheme } from '../http/viewer-cookies.ts';
import type { Answer } from './answer.ts';
import { withQuery } from './pager.ts';
import { asksForPart, isMeant, pageAddressOf } from './read-request.ts';
import type { Incoming, Row } from './row.ts';
import type { Printer } from './show-layout.ts';
import { printPage, printPart, themeOf } from './show-layout.ts';

const CSP = 'Content-Security-Policy';

type Exchange = { req: Request; res: Response };

function incomingOf(ctx: Context, { req, res }: Exchange): Incoming {
  const { params, query } = req;
  const body: unknown = req.body;
  return {
    params,
    query,
    body,
    part: asksForPart(req),
    address: req.originalUrl,
    theme: themeOf(req),
    meant: isMeant(req),
    cookies: {
      signIn: (token) => setSessionCookie(res, ctx.config, token),
      signOut() {
        clearSessionCookie(res, ctx.config);
        res.setHeader('Clear-Site-Data', '"cache"');
      },
      chooseTheme: (theme) => setTheme(res, ctx.config, theme),
    },
  };
}

function allowFormTo(res: Response, origin: string): void {
  const policy = String(res.getHeader(CSP) ?? '');
  res.setHeader(CSP, policy.replace("form-action 'self'", `form-action 'self' ${origin}`));
}

/** htmx follows a redirect inside the part; to leave the page it must be told so. */
function lead({ req, res }: Exchange, to: string): void {
  if (asksForPart(req)) res.status(204).set('HX-Redirect', to).end();
  else res.redirect(303, to);
}

function send(ctx: Context, printer: Printer, exchange: Exchange, viewer: Viewer | null, answer: Answer): void {
  const { req, res } = exchange;
  switch (answer.kind) {
    case 'lead':
      if (answer.notice !== undefined) leaveNotice(res, ctx.config, answer.notice);
      lead(exchange, ownPath(answer.to));
      break;
    case 'part':
      res
        .status(answer.status ?? 200)
        .type('html')
        .send(printPart(printer, req, viewer, answer));
      break;
    case 'page':
      if (answer.formOrigin !== undefined) allowFormTo(res, answer.formOrigin);
      res
        .status(answer.status ?? 200)
        .type('html')
        .send(printPage(ctx, printer, exchange, viewer, answer));
      break;
  }
}

function signInFirst(exchange: Exchange): void {
  const next = pageAddressOf(exchange.req);
  lead(exchange, withQuery('/sign-in', { next: next === '/' ? null : next }));
}

async function pass(handler: RequestHandler, { req, res }: Exchange): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    Promise.resolve(handler(req, res, next)).catch(reject);
  });
}

/**
 * A row as Express runs it: who asks, the limits, the row itself, its answer. What the person at a form caused goes
 * back to the form; all else to the error page.
 */
export function serveRow(ctx: Context, printer: Printer, row: Row, limits: RequestHandler[]): RequestHandler {
  return async (req, res) => {
    const exchange = { req, res };
    res.locals.route = row.path;
    const viewer = await res.locals.session.viewer();
    if (row.access === 'viewer' && viewer === null) {
      signInFirst(exchange);
      return;
    }
    const incoming = incomingOf(ctx, exchange);
    try {
      for (const limit of limits) await pass(limit, exchange);
      send(ctx, printer, exchange, viewer, await row.handle(ctx, viewer, incoming));
    } catch (error) {
      const answer = await row.handleProblem(ctx, viewer, incoming, error);
      if (answer === null) throw error;
      const { retryAfter } = failureOf(error);
      if (retryAfter !== null) res.setHeader('Retry-After', String(retryAfter));
      send(ctx, printer, exchange, viewer, answer);
    }
  };
}
