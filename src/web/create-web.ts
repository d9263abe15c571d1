import compression from 'compression';
import { Router } from 'express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { allowOnly } from '../http/allowed-methods.ts';
import { mountRoutes } from '../http/mount-routes.ts';
import { ownFormsOnly } from '../http/own-origin.ts';
import { rateLimits } from '../http/rate-limit.ts';
import { formBody } from './form-body.ts';
import { ROUTES } from './route-table.ts';
import { createRender } from './render.ts';
import { serveRoute } from './serve-route.ts';
import { showError } from './show-error.ts';
import { readStaticFiles } from './static-files.ts';

/** For one viewer only: no proxy keeps it, and a browser asks again each time. */
const ofOneViewer: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'private, no-cache', Vary: 'Cookie, HX-Request' });
  next();
};

export type Web = {
  /** To be mounted at `/`. */
  router: RequestHandler;
  /** Shows people a failure anywhere outside of the API, on a page. */
  onError: ErrorRequestHandler;
};

/** The server-rendered pages: their routes, the static files that they need, and the error page. */
export async function createWeb(ctx: Context): Promise<Web> {
  const [render, files] = await Promise.all([createRender(), readStaticFiles()]);
  const printer = { render, staticVersion: files.version };
  const limits = rateLimits(ctx);
  const forms = [ownFormsOnly(ctx.config.publicUrl), formBody];
  const router = Router();
  router.use(compression());
  router
    .route('/static/:version/:name')
    .get(files.serve)
    .all(allowOnly(['get']));
  mountRoutes(router, ROUTES, {
    before: () => ofOneViewer,
    of(route) {
      const ofRoute = route.rateLimit === undefined ? [] : limits[route.rateLimit];
      return [...(route.method === 'post' ? forms : []), serveRoute(ctx, printer, route, ofRoute)];
    },
  });
  return { router, onError: showError(ctx, printer) };
}
