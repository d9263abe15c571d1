import compression from 'compression';
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { bindCookies } from '../http/cookies.ts';
import { logFailure, setRetryAfter, toFailure } from '../http/failure.ts';
import { ownPath } from '../http/own-path.ts';
import { allowOnly, serveEndpoints } from '../http/serve-endpoints.ts';
import { SEARCH_MAX_LENGTH } from '../runs/search/run-search.ts';
import { listSuitesByName } from '../suites/read-suite.ts';
import { messageFor } from './form-field.ts';
import { createRender } from './render.ts';
import { ROUTES } from './route-table.ts';
import { printFragment, printPage, type Printer } from './show-layout.ts';
import { ICON_SHEET, readStaticFiles } from './static-files.ts';
import { isHtmxRequest, readPageAddress, webEdge } from './web-edge.ts';

/** URLs of the API that browsers visit to sign in at another service. */
const SIGN_IN_ELSEWHERE = /^\/api\/auth\/(github|oidc)(\/callback)?$/;

/** Requests to these paths come from programs, whatever they accept. */
const FOR_PROGRAMS = /^\/(api|files|mcp|static|healthz|readyz|metrics)(\/|$)/;

/** A request that accepts anything may come from a program. It gets an HTML page only at the URL of a page. */
function isForPeople(req: Request, isPage: boolean): boolean {
  if (FOR_PROGRAMS.test(req.path) && !SIGN_IN_ELSEWHERE.test(req.path)) return false;
  return req.accepts(isPage ? ['html', 'json'] : ['json', 'html']) === 'html';
}

const HEADINGS: Record<number, string> = {
  400: 'Bad request',
  403: 'Access denied',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'This isn’t possible right now',
  413: 'Request too large',
  415: 'Unsupported format',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

type Link = { href: string; label: string };

const SHOWN = ROUTES.filter(({ method }) => method === 'get').map(({ path }) => path.split('/'));

const isShown = (steps: string[]) =>
  SHOWN.some((page) => page.length === steps.length && page.every((step, at) => step[0] === ':' || step === steps[at]));

/** The nearest page above a URL that only accepts forms. People who open such a URL came from there. */
function pageAbove(address: string): Link[] {
  const steps = address.split('/').slice(0, -1);
  while (steps.length > 1 && !isShown(steps)) steps.pop();
  return steps.length > 1 ? [{ href: steps.join('/'), label: 'Go back' }] : [];
}

function linksFor(req: Request, viewer: Viewer | null, status: number): Link[] {
  // Who it is could not be looked up.
  if (viewer === null && status >= 500) return [{ href: ownPath(readPageAddress(req)), label: 'Try again' }];
  if (viewer === null) return [{ href: '/sign-in', label: 'Sign in' }];
  const start = { href: '/', label: 'Go to dashboard' };
  if (status === 405) return [...pageAbove(req.path), start];
  return SIGN_IN_ELSEWHERE.test(req.path) ? [{ href: '/account', label: 'Go to your account' }, start] : [start];
}

/** Suites that are offered on the page for “not found”. */
const SUITES_OFFERED = 6;

/** Suggestions: only what the viewer can see, whatever is at the URL. Null if even that fails. */
async function offerInstead(ctx: Context, viewer: Viewer | null, address: string) {
  if (viewer === null) return null;
  try {
    const part = { limit: SUITES_OFFERED, offset: 0 };
    const { suites } = await listSuitesByName(ctx, viewer, { kind: 'SUITE', scope: 'ALL' }, part);
    const words = decodeURIComponent(address).split('/').at(-1) ?? '';
    return {
      typed: /[0-9a-f]{8}-/i.test(words) ? '' : words.slice(0, SEARCH_MAX_LENGTH),
      suites: suites.map(({ id, name }) => ({ href: `/suites/${id}`, name })),
    };
  } catch {
    return null;
  }
}

/** Null if even the lookup fails. */
async function findViewer(res: Response): Promise<Viewer | null> {
  try {
    return (await res.locals.session?.viewer()) ?? null;
  } catch {
    return null;
  }
}

/**
 * The error page for people. Requests from programs, and failures after the headers were sent, go to the next handler.
 */
function showError(ctx: Context, printer: Printer): ErrorRequestHandler {
  return async (error: unknown, req, res, next) => {
    if (res.headersSent || !isForPeople(req, res.locals.route?.startsWith('/api') === false)) {
      next(error);
      return;
    }
    const failure = toFailure(error);
    logFailure(ctx.log, req, res, error, failure);
    setRetryAfter(res, failure);
    const { status } = failure;
    res.set('Cache-Control', 'no-store').status(status).type('html');
    const title = HEADINGS[status] ?? 'Something went wrong';
    const viewer = await findViewer(res);
    const model = {
      status,
      heading: title,
      message: messageFor(failure),
      requestId: status >= 500 ? res.locals.requestId : null,
      links: linksFor(req, viewer, status),
      instead: status === 404 ? await offerInstead(ctx, viewer, req.path) : null,
    };
    const reader = { viewer, cookies: bindCookies(ctx.config, req, res) };
    if (isHtmxRequest(req)) {
      res.send(printFragment(printer, reader, { view: 'partials/failure', model }));
      return;
    }
    const page = { kind: 'page', view: 'error', title, model, width: 'narrow' } as const;
    res.send(printPage(printer, reader, readPageAddress(req), page));
  };
}

export type Web = {
  /** To be mounted at `/`. */
  router: RequestHandler;
  /** Shows any failure outside of the API to people, as a page. */
  onError: ErrorRequestHandler;
};

/** The server-rendered pages: their routes, the static files that they need, and the error page. */
export async function createWeb(ctx: Context): Promise<Web> {
  const files = await readStaticFiles();
  const { address, modules } = files;
  const printer = { render: await createRender(`${address}/${ICON_SHEET}`), assets: address, modules };
  const router = Router();
  router.use(compression());
  router
    .route('/static/:version/:name')
    .get(files.serve)
    .all(allowOnly(['get']));
  serveEndpoints(ctx, router, ROUTES, webEdge(ctx, printer));
  return { router, onError: showError(ctx, printer) };
}
