import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { jwtSecretOf } from '../auth/jwt-secret.ts';
import type { Context } from '../context.ts';
import { notFound, unauthenticated } from '../errors.ts';
import { suiteOfObject } from '../storage/object-name.ts';
import { verifyObject } from '../storage/signed-address.ts';
import { mayReadSuite } from '../suites/read-suite.ts';
import { allowOnly } from './allowed-methods.ts';
import { isKnown, wantedPart } from './byte-range.ts';

type FilesContext = Pick<Context, 'config' | 'db' | 'storage' | 'clock' | 'log'>;

const Signature = z.object({
  expires: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
  signature: z.string(),
});

function isSigned({ config, clock }: FilesContext, req: Request, name: string): boolean {
  const signed = Signature.safeParse(req.query);
  if (!signed.success) return false;
  const { expires, signature } = signed.data;
  const nowSeconds = Math.floor(clock.now().getTime() / 1000);
  return verifyObject(jwtSecretOf(config), name, expires, signature, nowSeconds);
}

/** A picture is seen by those who may read its suite, and by whoever holds an address that was signed for it. */
async function authorise(ctx: FilesContext, req: Request, res: Response, name: string): Promise<void> {
  const suiteId = suiteOfObject(name);
  if (suiteId !== null && isSigned(ctx, req, name)) return;
  const viewer = await res.locals.session.viewer();
  if (viewer === null) throw unauthenticated('Sign in to see this picture');
  if (suiteId === null || !(await mayReadSuite(ctx, viewer, suiteId))) throw notFound('The picture');
}

/** `If-Range` with another tag than ours means: then rather the whole. A date never equals our tag. */
function rangeHeader(req: Request, etag: string): string | undefined {
  const ifRange = req.get('if-range');
  return req.method === 'GET' && (ifRange === undefined || ifRange === etag) ? req.get('range') : undefined;
}

async function send({ storage, log }: FilesContext, req: Request, res: Response, name: string): Promise<void> {
  const found = await storage.stat(name);
  if (found === null) throw notFound('The picture');
  const etag = `"${path.basename(name, '.png')}"`;
  res.set({ ETag: etag, 'Accept-Ranges': 'bytes', 'Cache-Control': 'private, max-age=31536000, immutable' });
  if (isKnown(req.get('if-none-match'), etag)) {
    res.status(304).end();
    return;
  }
  const wanted = wantedPart(rangeHeader(req, etag), found.size);
  if (wanted.kind === 'unsatisfiable') {
    res.status(416).set({ 'Content-Range': `bytes */${found.size}`, 'Cache-Control': 'no-store' });
    res.json({ error: 'The picture has no such bytes', details: { code: 'range_not_satisfiable' } });
    return;
  }
  const range = wanted.kind === 'part' ? wanted.range : { start: 0, end: found.size - 1 };
  if (wanted.kind === 'part') res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${found.size}`);
  res.set({ 'Content-Type': 'image/png', 'Content-Length': String(range.end - range.start + 1) });
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  const stream = await storage.stream(name, wanted.kind === 'part' ? range : undefined);
  try {
    await pipeline(stream, res);
  } catch (error) {
    // Half of the picture is out: all that is left is to cut the connection, which `pipeline` has done.
    if (!req.destroyed && !res.closed) log.error({ err: error, name }, 'a picture could not be sent');
  }
}

function show(ctx: FilesContext): RequestHandler {
  return async (req, res) => {
    const { name: segments } = req.params;
    const name = Array.isArray(segments) ? segments.join('/') : (segments ?? '');
    res.locals.route = '/files/*';
    await authorise(ctx, req, res, name);
    await send(ctx, req, res, name);
  };
}

/** GET and HEAD /files/<object name>. */
export function filesRouter(ctx: FilesContext): Router {
  const router = Router();
  router
    .route('/*name')
    .get(show(ctx))
    .all(allowOnly(['get']));
  return router;
}
