import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { requireJwtSecret } from '../auth/jwt-secret.ts';
import type { Region } from '../compare/region.ts';
import type { Context } from '../context.ts';
import { hasCode, invalid, notFound, unauthenticated } from '../errors.ts';
import { findChangeBox } from '../runs/results/read-changes.ts';
import { suiteOfObject } from '../storage/object-name.ts';
import { verifyObject } from '../storage/signed-address.ts';
import { mayReadSuite } from '../suites/read-suite.ts';
import { allowOnly } from './allowed-methods.ts';
import { isKnown, wantedPart } from './byte-range.ts';
import { THUMBNAIL_WIDTHS } from './image-url.ts';
import type { ThumbnailWidth } from './image-url.ts';
import { createThumbnails } from './thumbnails.ts';
import type { Wanted } from './thumbnails.ts';

/** An object to send. `size` is in bytes. */
type Sent = { name: string; size: number; type: 'image/png' | 'image/webp' };

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
  return verifyObject(requireJwtSecret(config), name, expires, signature, nowSeconds);
}

/** Null: the full image. */
function wantedWidth(req: Request): ThumbnailWidth | null {
  const given = req.query['width'];
  if (given === undefined) return null;
  const width = THUMBNAIL_WIDTHS.find((each) => String(each) === given);
  if (width !== undefined) return width;
  const message = `must be one of ${THUMBNAIL_WIDTHS.join(', ')}`;
  throw invalid('The thumbnail width is not valid', [{ path: 'width', message }]);
}

/** Which side of a change is asked for: the box that was stored with it. */
async function findBox(ctx: FilesContext, name: string, changeId: string): Promise<Region> {
  const box = z.guid().safeParse(changeId).success ? await findChangeBox(ctx, changeId, name) : null;
  if (box === null) throw notFound('Image');
  return box;
}

/** Null: the full image. */
async function readWanted(ctx: FilesContext, req: Request, name: string): Promise<Wanted | null> {
  const { change } = req.query;
  if (typeof change === 'string') return { box: await findBox(ctx, name, change) };
  const width = wantedWidth(req);
  return width === null ? null : { width };
}

/**
 * An image is visible to people who may read its suite, and to everyone with a URL signed for it. A signed URL is
 * valid for the full image, not for thumbnails.
 */
async function authorize(ctx: FilesContext, req: Request, res: Response, name: string): Promise<void> {
  const suiteId = suiteOfObject(name);
  const isWhole = req.query['width'] === undefined && req.query['change'] === undefined;
  if (suiteId !== null && isWhole && isSigned(ctx, req, name)) return;
  const viewer = await res.locals.session.viewer();
  if (viewer === null) throw unauthenticated('Sign in to see this image');
  if (suiteId === null || !(await mayReadSuite(ctx, viewer, suiteId))) throw notFound('Image');
}

/** `If-Range` with another tag requests the full file instead of the range. A date never equals our tag. */
function rangeHeader(req: Request, etag: string): string | undefined {
  const ifRange = req.get('if-range');
  return req.method === 'GET' && (ifRange === undefined || ifRange === etag) ? req.get('range') : undefined;
}

function refuseRange(res: Response, size: number): void {
  res.status(416).set({ 'Content-Range': `bytes */${size}`, 'Cache-Control': 'no-store' });
  res.json({ error: 'The image does not have the requested bytes', details: { code: 'range_not_satisfiable' } });
}

/** The source may fail after half of the image was sent. Then `pipeline` can only close the connection. */
async function streamTo(stream: Readable, res: Response, onFailure: (error: unknown) => void): Promise<void> {
  try {
    await pipeline(stream, res);
  } catch (error) {
    // A client that disconnects is not worth a log line.
    if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) onFailure(error);
  }
}

async function findImage({ storage }: FilesContext, name: string): Promise<Sent> {
  const found = await storage.stat(name);
  if (found === null) throw notFound('Image');
  return { name, size: found.size, type: 'image/png' };
}

async function send({ storage, log }: FilesContext, req: Request, res: Response, sent: Sent): Promise<void> {
  const { name, size, type } = sent;
  // An object never changes, so its name is enough as a tag.
  const etag = `"${path.parse(name).name}"`;
  const kept = { ETag: etag, 'Accept-Ranges': 'bytes', 'Cache-Control': 'private, max-age=31536000, immutable' };
  if (isKnown(req.get('if-none-match'), etag)) {
    res.status(304).set(kept).end();
    return;
  }
  const wanted = wantedPart(rangeHeader(req, etag), size);
  if (wanted.kind === 'unsatisfiable') {
    refuseRange(res, size);
    return;
  }
  const { start, end } = wanted.kind === 'part' ? wanted.range : { start: 0, end: size - 1 };
  // Before the headers are sent, so that a failure of the store becomes an error response.
  const stream = req.method === 'HEAD' ? null : await storage.stream(name, { start, end });
  if (wanted.kind === 'part') res.status(206).set('Content-Range', `bytes ${start}-${end}/${size}`);
  res.set({ ...kept, 'Content-Type': type, 'Content-Length': String(end - start + 1) });
  if (stream === null) res.end();
  else await streamTo(stream, res, (error) => log.error({ err: error, name }, 'could not send an image'));
}

function show(ctx: FilesContext): RequestHandler {
  const getThumbnail = createThumbnails(ctx);
  return async (req, res) => {
    const { name: segments } = req.params;
    const name = Array.isArray(segments) ? segments.join('/') : (segments ?? '');
    res.locals.route = '/files/*';
    await authorize(ctx, req, res, name);
    const wanted = await readWanted(ctx, req, name);
    if (wanted === null) await send(ctx, req, res, await findImage(ctx, name));
    else await send(ctx, req, res, { ...(await getThumbnail(name, wanted)), type: 'image/webp' });
  };
}

/** GET and HEAD /files/<object name>, with `?width=` for a thumbnail, or `?change=` for the part that changed. */
export function filesRouter(ctx: FilesContext): Router {
  const router = Router();
  router
    .route('/*name')
    .get(show(ctx))
    .all(allowOnly(['get']));
  return router;
}
