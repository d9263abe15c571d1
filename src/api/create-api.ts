import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { unauthenticated } from '../errors.ts';
import { allowOnly } from '../http/allowed-methods.ts';
import { mountRoutes } from '../http/mount-routes.ts';
import { rateLimits } from '../http/rate-limit.ts';
import { clearSessionCookie, setSessionCookie } from '../http/session.ts';
import { clearSignInCookie, readSignInCookie, setSignInCookie } from '../http/sign-in-cookie.ts';
import { docsRouter } from './docs.ts';
import { openApiDocument } from './openapi.ts';
import type { Operation, SessionCookie, SignInCookie } from './route.ts';
import { ROUTES } from './routes.ts';

function cookieOf(ctx: Context, res: Response): SessionCookie {
  return {
    set: (token) => setSessionCookie(res, ctx.config, token),
    clear: () => clearSessionCookie(res, ctx.config),
  };
}

function signInCookieOf(ctx: Context, req: Request, res: Response): SignInCookie {
  return {
    read: () => readSignInCookie(req),
    set: (value) => setSignInCookie(res, ctx.config, value),
    clear: () => clearSignInCookie(res, ctx.config),
  };
}

/** Parse, call, send. */
function handlerOf(ctx: Context, operation: Operation): RequestHandler {
  return async (req, res) => {
    const viewer = operation.auth === 'none' ? null : await res.locals.session.viewer();
    if (operation.auth === 'viewer' && viewer === null) throw unauthenticated();
    const { params, query } = req;
    const body: unknown = req.body;
    const cookies = { cookie: cookieOf(ctx, res), signInCookie: signInCookieOf(ctx, req, res) };
    const result = await operation.handle(ctx, viewer, { params, query, body, ...cookies });
    if (operation.status === 302) res.redirect(302, z.url().parse(result));
    else res.status(operation.status).json(result);
  };
}

const named = (path: string): RequestHandler => {
  return (_req, res, next) => {
    res.locals.route = `/api${path}`;
    res.set('Cache-Control', 'no-store');
    next();
  };
};

/** The REST API, to be mounted at `/api`: the table, its document and the page that shows it. */
export function createApi(ctx: Context): Router {
  const router = Router();
  const limits = rateLimits(ctx);
  const document = openApiDocument(ROUTES, ctx.config);
  mountRoutes(router, ROUTES, {
    before: named,
    of({ operation }) {
      const { rateLimit } = operation;
      return [...(rateLimit === undefined ? [] : limits[rateLimit]), handlerOf(ctx, operation)];
    },
  });
  router
    .route('/openapi.json')
    .get((_req, res) => {
      res.set('Cache-Control', 'no-cache');
      res.json(document);
    })
    .all(allowOnly(['get']));
  router.use('/docs', docsRouter());
  return router;
}
