import type { Request, RequestHandler, Response } from 'express';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { failureOf } from '../http/failure.ts';
import { ownPath } from '../http/own-path.ts';
import { clearSessionCookie, setSessionCookie } from '../http/session.ts';
import { setFlashNotice, setTheme } from '../http/viewer-cookies.ts';
import type { Reply } from './reply.ts';
import { withQuery } from './pager.ts';
import { isHtmxRequest, isDeliberateVisit, pageAddressOf } from './read-request.ts';
import type { Incoming, Route } from './route.ts';
import type { Printer } from './show-layout.ts';
import { printPage, printFragment, themeOf } from './show-layout.ts';

const CSP = 'Content-Security-Policy';

type Exchange = { req: Request; res: Response };

function incomingOf(ctx: Context, { req, res }: Exchange): Incoming {
  const { params, query } = req;
  const body: unknown = req.body;
  return {
    params,
    query,
    body,
    htmx: isHtmxRequest(req),
    url: req.originalUrl,
    theme: themeOf(req),
    deliberate: isDeliberateVisit(req),
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

/** htmx follows a redirect inside the fragment; only this header makes it leave the page. */
function sendRedirect({ req, res }: Exchange, to: string): void {
  if (isHtmxRequest(req)) res.status(204).set('HX-Redirect', to).end();
  else res.redirect(303, to);
}

function send(ctx: Context, printer: Printer, exchange: Exchange, viewer: Viewer | null, reply: Reply): void {
  const { req, res } = exchange;
  switch (reply.kind) {
    case 'redirect':
      if (reply.notice !== undefined) setFlashNotice(res, ctx.config, reply.notice);
      sendRedirect(exchange, ownPath(reply.to));
      break;
    case 'fragment':
      res
        .status(reply.status ?? 200)
        .type('html')
        .send(printFragment(printer, req, viewer, reply));
      break;
    case 'page':
      if (reply.formOrigin !== undefined) allowFormTo(res, reply.formOrigin);
      res
        .status(reply.status ?? 200)
        .type('html')
        .send(printPage(ctx, printer, exchange, viewer, reply));
      break;
  }
}

function redirectToSignIn(exchange: Exchange): void {
  const next = pageAddressOf(exchange.req);
  sendRedirect(exchange, withQuery('/sign-in', { next: next === '/' ? null : next }));
}

async function pass(handler: RequestHandler, { req, res }: Exchange): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    Promise.resolve(handler(req, res, next)).catch(reject);
  });
}

/**
 * A route as an Express handler: find the viewer, apply the limits, call the route, send its reply. What the person at a
 * form caused goes back to the form, everything else to the error page.
 */
export function serveRoute(ctx: Context, printer: Printer, route: Route, limits: RequestHandler[]): RequestHandler {
  return async (req, res) => {
    const exchange = { req, res };
    res.locals.route = route.path;
    const viewer = await res.locals.session.viewer();
    if (route.access === 'viewer' && viewer === null) {
      redirectToSignIn(exchange);
      return;
    }
    const incoming = incomingOf(ctx, exchange);
    try {
      for (const limit of limits) await pass(limit, exchange);
      send(ctx, printer, exchange, viewer, await route.handle(ctx, viewer, incoming));
    } catch (error) {
      const reply = await route.handleProblem(ctx, viewer, incoming, error);
      if (reply === null) throw error;
      const { retryAfter } = failureOf(error);
      if (retryAfter !== null) res.setHeader('Retry-After', String(retryAfter));
      send(ctx, printer, exchange, viewer, reply);
    }
  };
}
