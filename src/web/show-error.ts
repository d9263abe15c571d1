import type { ErrorRequestHandler, Request } from 'express';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { loggedPath } from '../http/access-log.ts';
import { failureOf } from '../http/failure.ts';
import { ROUTES } from './route-table.ts';
import { messageFor } from './problem.ts';
import { isHtmxRequest } from './read-request.ts';
import type { Printer } from './show-layout.ts';
import { printPage, printFragment } from './show-layout.ts';

/** Where signing in with GitHub leads a browser. */
const GITHUB_SIGN_IN = /^\/api\/auth\/github(\/callback)?$/;

/** What answers programs, whatever they say that they accept. */
const FOR_PROGRAMS = /^\/(api|files|static|healthz|readyz|metrics)(\/|$)/;

/** Who would take anything gets a page only where pages are: a program may ask for what is not there, too. */
function isForPeople(req: Request, isPage: boolean): boolean {
  if (FOR_PROGRAMS.test(req.path) && !GITHUB_SIGN_IN.test(req.path)) return false;
  return req.accepts(isPage ? ['html', 'json'] : ['json', 'html']) === 'html';
}

const HEADINGS: Record<number, string> = {
  400: 'That did not work',
  403: 'You may not do this',
  404: 'Nothing is here',
  405: 'Not this way',
  409: 'That is not possible now',
  413: 'That is too much',
  415: 'That cannot be read',
  429: 'Too many attempts',
  503: 'Away for a moment',
};

type Way = { href: string; label: string };

const SHOWN = ROUTES.filter(({ method }) => method === 'get').map(({ path }) => path.split('/'));

const isShown = (steps: string[]) =>
  SHOWN.some((page) => page.length === steps.length && page.every((step, at) => step[0] === ':' || step === steps[at]));

/** The page from which a form posts to an address that is none: a browser comes back to it by its address bar. */
function pageAbove(address: string): Way[] {
  const steps = address.split('/').slice(0, -1);
  while (steps.length > 1 && !isShown(steps)) steps.pop();
  return steps.length > 1 ? [{ href: steps.join('/'), label: 'Back to the page' }] : [];
}

function waysOn(req: Request, viewer: Viewer | null, status: number): Way[] {
  if (viewer === null) return [{ href: '/sign-in', label: 'Sign in' }];
  const start = { href: '/', label: 'To the dashboard' };
  if (status === 405) return [...pageAbove(req.path), start];
  return GITHUB_SIGN_IN.test(req.path) ? [{ href: '/account', label: 'To your account' }, start] : [start];
}

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
    if (res.headersSent || !isForPeople(req, res.locals.route?.startsWith('/api') === false)) {
      next(error);
      return;
    }
    const { status, body, retryAfter } = failureOf(error);
    const { requestId } = res.locals;
    if (status >= 500)
      ctx.log.error({ err: error, requestId, method: req.method, path: loggedPath(req) }, 'request failed');
    if (retryAfter !== null) res.setHeader('Retry-After', String(retryAfter));
    res.set('Cache-Control', 'no-store').status(status).type('html');
    const heading = HEADINGS[status] ?? 'Something went wrong';
    const viewer = await viewerOf(async () => res.locals.session?.viewer() ?? null);
    const model = {
      status,
      heading,
      message: messageFor(body.error, retryAfter),
      requestId: status >= 500 ? requestId : null,
      ways: waysOn(req, viewer, status),
    };
    if (isHtmxRequest(req)) {
      res.send(printFragment(printer, req, viewer, { kind: 'fragment', view: 'partials/failure', model }));
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
