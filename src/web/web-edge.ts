import { urlencoded, type Request, type RequestHandler } from 'express';
import { DEFAULT_PREFERENCES } from '../auth/preferences.ts';
import type { Context } from '../context.ts';
import { setRetryAfter, toFailure } from '../http/failure.ts';
import { ownFormsOnly } from '../http/own-origin.ts';
import { ownPath } from '../http/own-path.ts';
import { readBody } from '../http/read-body.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import { requestContext, type Edge, type Exchange } from '../http/serve-endpoints.ts';
import { parseUrl } from '../text/parse-url.ts';
import { setFlashNotice } from './flash-notice.ts';
import { printFragment, printPage, type Printer } from './show-layout.ts';
import { withQuery, type Reply, type Route, type WebIncoming } from './web-route.ts';

/** htmx requests a fragment for a page that is already open. */
export function isHtmxRequest(req: Request): boolean {
  return req.get('hx-request') === 'true';
}

/**
 * True if the person opens this URL on purpose: the request comes from no other site's page, and is no prefetch. The
 * browser itself sets `Sec-Fetch-Site`. Programs don't send it, but they don't follow another site's links by
 * themselves either.
 */
function isDeliberateVisit(req: Request): boolean {
  const site = req.get('sec-fetch-site') ?? 'none';
  const isOwn = site === 'none' || site === 'same-origin';
  return isOwn && req.method !== 'HEAD' && req.get('sec-purpose') === undefined;
}

/** The path and query of a URL on any host. */
function parsePath(address: string | undefined): string {
  const url = address === undefined ? null : parseUrl(address);
  return url === null ? '/' : ownPath(url.pathname + url.search);
}

/** The page to return to. For a fragment or a form, that is the page that contains it. */
export function readPageAddress(req: Request): string {
  if (isHtmxRequest(req)) return parsePath(req.get('hx-current-url'));
  return req.method === 'POST' ? parsePath(req.get('referer')) : req.originalUrl;
}

/** 20,000, because a form with all pages of the largest suite (10,000) ticked sends at least one field for each page. */
const formBody = readBody(
  ['urlencoded'],
  urlencoded({ extended: false, limit: '1mb', parameterLimit: 20_000 }),
  'Forms must be sent as application/x-www-form-urlencoded',
);

/** Browsers send the end of a line as two characters. `maxlength`, and what is stored, have it as one. */
function withLineEnds(sent: unknown): unknown {
  if (typeof sent === 'string') return sent.replaceAll('\r\n', '\n');
  if (Array.isArray(sent)) return sent.map(withLineEnds);
  if (typeof sent !== 'object' || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, withLineEnds(value)]));
}

function webIncoming({ req, incoming }: Exchange): WebIncoming {
  return {
    ...incoming,
    body: withLineEnds(incoming.body),
    htmx: isHtmxRequest(req),
    url: req.originalUrl,
    preferences: incoming.viewer?.preferences ?? DEFAULT_PREFERENCES,
    deliberate: isDeliberateVisit(req),
  };
}

/** htmx would follow a redirect and insert the result into the fragment. Only this header makes it leave the page. */
function sendRedirect({ req, res }: Exchange, to: string): void {
  if (isHtmxRequest(req)) res.status(204).set('HX-Redirect', to).end();
  else res.redirect(303, to);
}

function send(ctx: Context, printer: Printer, exchange: Exchange, reply: Reply): void {
  const { req, res, incoming } = exchange;
  switch (reply.kind) {
    case 'redirect':
      if (reply.notice !== undefined) setFlashNotice(incoming.cookies, reply.notice);
      if (reply.clearCache === true) res.setHeader('Clear-Site-Data', '"cache"');
      sendRedirect(exchange, ownPath(reply.to));
      break;
    case 'fragment':
      res.status(reply.status ?? 200).type('html');
      res.send(printFragment(printer, incoming, reply));
      break;
    case 'markdown':
      res.type('text/markdown').send(reply.text);
      break;
    case 'page':
      if (reply.formOrigin !== undefined) {
        contentSecurityPolicy(ctx.config, [reply.formOrigin])(req, res, () => {});
      }
      res.status(reply.status ?? 200).type('html');
      res.send(printPage(printer, incoming, readPageAddress(req), reply));
      break;
  }
}

/** The response is for one viewer: proxies must not store it, and browsers must revalidate it each time. */
const forOneViewer: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'private, no-cache', Vary: 'Cookie, HX-Request' });
  next();
};

/** A form that arrives after the session has ended. */
const SIGNED_OUT = {
  text: 'You are no longer signed in, so nothing was changed. Sign in and send the form again.',
  isProblem: true,
};

/**
 * How the web pages serve the routes. Problems with a person's input are shown at the form, all other failures on the
 * error page.
 */
export function webEdge(ctx: Context, printer: Printer): Edge<Route> {
  const forms = [ownFormsOnly(ctx.config.publicUrl), formBody];
  return {
    prepare: () => forOneViewer,
    before: ({ method, upload }) => (method === 'post' && upload !== true ? forms : []),
    label: (path) => path,
    refuseAnonymous(exchange) {
      const next = readPageAddress(exchange.req);
      if (exchange.req.method === 'POST') setFlashNotice(exchange.incoming.cookies, SIGNED_OUT);
      sendRedirect(exchange, withQuery('/sign-in', { next: next === '/' ? null : next }));
    },
    async respond(route, exchange) {
      send(ctx, printer, exchange, await route.handle(requestContext(ctx, exchange.req), webIncoming(exchange)));
    },
    async recover(route, exchange, error) {
      const reply = await route.handleProblem(ctx, webIncoming(exchange), error);
      if (reply === null) return false;
      setRetryAfter(exchange.res, toFailure(error));
      send(ctx, printer, exchange, reply);
      return true;
    },
  };
}
