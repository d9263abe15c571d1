import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { jsonBody } from '../http/read-body.ts';
import { allowOnly, requestContext, serveEndpoints, type Edge } from '../http/serve-endpoints.ts';
import { notSignedIn } from '../http/session.ts';
import { SentPart } from './api-route.ts';
import { docsRouter } from './document/docs.ts';
import type { JsonSchema } from './document/document-schemas.ts';
import { writeOpenApi } from './document/openapi-markdown.ts';
import { openApiDocument } from './document/openapi.ts';
import { ROUTES, type Route } from './route-list.ts';
import { isStreamed, isStreamedFile, sendStreamed } from './streamed.ts';

const metricsLabel = (path: string) => `/api${path}`;

/** A list, with the address of its next part (RFC 8288). */
async function sendPart({ config }: Context, req: Request, res: Response, result: unknown): Promise<void> {
  const { body, cursor } = SentPart.parse(result);
  if (cursor !== null) {
    const url = new URL(config.publicUrl + req.baseUrl + req.path);
    // The rest may name a host: clients may send the whole address.
    url.search = new URL(req.originalUrl, config.publicUrl).search;
    url.searchParams.set('cursor', cursor);
    url.searchParams.delete('offset');
    res.set('Link', `<${url.href}>; rel="next"`);
  }
  await send(res, body);
}

async function send(res: Response, body: unknown): Promise<void> {
  if (isStreamed(body) || isStreamedFile(body)) await sendStreamed(res, body);
  else res.json(body);
}

/** How the API responds: with JSON that no cache stores. */
function apiEdge(ctx: Context): Edge<Route> {
  return {
    prepare: (path) => (_req, res, next) => {
      res.locals.route = metricsLabel(path);
      res.set('Cache-Control', 'no-store');
      next();
    },
    before: ({ method, upload }) => (method === 'get' || upload === true ? [] : [jsonBody]),
    label: metricsLabel,
    refuseAnonymous({ res }) {
      throw notSignedIn(res.locals.session);
    },
    async respond(route, { req, res, incoming }) {
      const result = await route.handle(requestContext(ctx, req), incoming);
      if (route.status === 302) res.redirect(302, z.url().parse(result));
      else if (route.isList === true) await sendPart(ctx, req, res, result);
      else await send(res.status(route.status ?? 200), result);
    },
    recover: async () => false,
  };
}

/** The REST API, to be mounted at `/api`: the routes, their OpenAPI document, and the page that shows it. */
export function createApi(ctx: Context): Router {
  const router = Router();
  serveEndpoints(ctx, router, ROUTES, apiEdge(ctx));
  // Created on first request, because they would make up much of the start-up time.
  const made: { document?: JsonSchema; markdown?: string } = {};
  const getDocument = () => (made.document ??= openApiDocument(ROUTES, ctx.config));
  router
    .route('/openapi.json')
    .get((_req, res) => {
      res.set('Cache-Control', 'no-cache').json(getDocument());
    })
    .all(allowOnly(['get']));
  router
    .route('/openapi.md')
    .get((_req, res) => {
      made.markdown ??= writeOpenApi(getDocument());
      res.set('Cache-Control', 'no-cache').type('text/markdown').send(made.markdown);
    })
    .all(allowOnly(['get']));
  router.use('/docs', docsRouter());
  return router;
}
