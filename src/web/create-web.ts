import compression from 'compression';
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { allowOnly } from '../http/allowed-methods.ts';
import { serveEndpoints } from '../http/serve-endpoints.ts';
import { createRender } from './render.ts';
import { ROUTES } from './route-table.ts';
import { showError } from './show-error.ts';
import { ICON_SHEET, readStaticFiles } from './static-files.ts';
import { webEdge } from './web-edge.ts';

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
