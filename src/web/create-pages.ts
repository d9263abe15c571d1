import compression from 'compression';
import { Router } from 'express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { allowOnly } from '../http/allowed-methods.ts';
import { ownFormsOnly } from '../http/own-origin.ts';
import { rateLimits } from '../http/rate-limit.ts';
import { rowsByPath } from '../http/rows-by-path.ts';
import { formBody } from './form-body.ts';
import { PAGES } from './page-table.ts';
import { createRender } from './render.ts';
import { serveRow } from './serve-row.ts';
import { showError } from './show-error.ts';
import { readStaticFiles } from './static-files.ts';

/** Never kept by what lies between, asked for anew each time, and of one viewer only. */
const ofOneViewer: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'private, no-cache', Vary: 'Cookie, HX-Request' });
  next();
};

export type Pages = {
  /** To be mounted at `/`. */
  router: RequestHandler;
  /** Tells people of a failure anywhere outside of the API, on a page. */
  onError: ErrorRequestHandler;
};

/** The server-rendered pages: the table, the files that they need, and the error page. */
export async function createPages(ctx: Context): Promise<Pages> {
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
  for (const [path, rows] of rowsByPath(PAGES)) {
    const at = router.route(path).all(ofOneViewer);
    for (const row of rows) {
      const ofRow = row.rateLimit === undefined ? [] : limits[row.rateLimit];
      at[row.method](...(row.method === 'post' ? forms : []), serveRow(ctx, printer, row, ofRow));
    }
    at.all(allowOnly(rows.map((row) => row.method)));
  }
  return { router, onError: showError(ctx, printer) };
}
