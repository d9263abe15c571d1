import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Context } from '../context.ts';
import { CONFIG_FILE_SCHEMA } from '../suites/config-file/file-schema.ts';
import { accessLog } from './access-log.ts';
import { badgeRouter } from './badge.ts';
import { errorHandler, notFoundHandler } from './failure.ts';
import { filesRouter } from './files.ts';
import { liveness, readiness } from './health.ts';
import type { Metrics } from './metrics.ts';
import { ownOriginOnly } from './own-origin.ts';
import { securityHeaders } from './security-headers.ts';
import { readSession } from './session.ts';

/** The JSON Schema of the configuration file, for editors. It is no secret, and the same for everybody. */
function configFileSchema(publicUrl: string): RequestHandler {
  const body = JSON.stringify({ $id: `${publicUrl}/schema.json`, ...CONFIG_FILE_SCHEMA }, null, 2);
  return (_req, res) => {
    res.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' });
    res.type('application/schema+json').send(body);
  };
}

/** The parts that composition passes in, because the edges don't import each other. */
export type AppParts = {
  metrics: Metrics;
  /** Rejects while nothing can be captured. Null: this process never captures. */
  capture: (() => Promise<void>) | null;
  /** Mounted at `/api`. It reads its request bodies itself. */
  api: RequestHandler;
  /** Reads its own raw body, so it comes before all the others. */
  webhooks?: RequestHandler;
  /** What agents call and read, mounted at `/`. */
  mcp: RequestHandler;
  /** The server-rendered pages, mounted at `/`, and the handler that shows failures to people. */
  web: { router: RequestHandler; onError: ErrorRequestHandler };
};

function bareApp(ctx: Context, { metrics, capture }: Pick<AppParts, 'metrics' | 'capture'>): Express {
  const app = express();
  app.disable('x-powered-by');
  // The proxies whose `X-Forwarded-*` headers are trusted. Anyone could send these headers.
  app.set('trust proxy', ['loopback', ...ctx.config.trustedProxies]);
  app.set('etag', false);
  app.use(accessLog(ctx.log), metrics.observe, securityHeaders(ctx.config));
  app.get(['/healthz', '/readyz', '/metrics'], (req, res, next) => {
    res.locals.route = req.path;
    next();
  });
  app.get('/healthz', liveness);
  app.get('/readyz', readiness(ctx, capture));
  app.get('/metrics', metrics.expose);
  return app;
}

/** What a worker-only host serves: health checks and metrics. */
export function createWorkerApp(ctx: Context, parts: Pick<AppParts, 'metrics' | 'capture'>): Express {
  const app = bareApp(ctx, parts);
  app.use(notFoundHandler, errorHandler(ctx.log));
  return app;
}

/** Middleware from the outside in. Each one can rely on those before it. */
export function createApp(ctx: Context, { api, webhooks, mcp, web, ...parts }: AppParts): Express {
  const app = bareApp(ctx, parts);
  if (webhooks !== undefined) app.use(webhooks);

  app.get('/schema.json', configFileSchema(ctx.config.publicUrl));
  app.use(badgeRouter(ctx));

  app.use(readSession(ctx), ownOriginOnly(ctx.config.publicUrl));
  app.use('/files', filesRouter(ctx));
  app.use('/api', api);
  app.use(mcp);
  app.use(web.router);

  app.use(notFoundHandler, web.onError, errorHandler(ctx.log));
  return app;
}
