import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { openingSecrets } from '../auth/jwt-secret.ts';
import type { Context } from '../context.ts';
import { hasCode, invalid, notFound } from '../errors.ts';
import { findFirstChangeBox } from '../runs/results/read-changes.ts';
import { readCropName, suiteOfObject } from '../storage/object-name.ts';
import { verifyObject } from '../storage/signed-address.ts';
import { isKnown, wantedPart } from './byte-range.ts';
import { THUMBNAIL_WIDTHS, TILE_WIDTHS, type ThumbnailWidth } from './image-url.ts';
import { rateLimits } from './rate-limit.ts';
import { allowOnly } from './serve-endpoints.ts';
import { notSignedIn } from './session.ts';
import { createThumbnails, findChange, requireImage, type Wanted } from './thumbnails.ts';

/** An object to send. `size` is in bytes. */
type Sent = { name: string; size: number; type: 'image/png' | 'image/webp' };

const YEAR_SECONDS = 31_536_000;
/** An object never changes. `private`, because other users of a shared cache may not see it. */
const FOR_VIEWER = { 'Cache-Control': `private, max-age=${YEAR_SECONDS}, immutable` };
/** The first change of a result may move when the result is judged again. */
const FOR_A_MINUTE = { 'Cache-Control': 'private, max-age=60' };

type FilesContext = Pick<Context, 'config' | 'db' | 'storage' | 'clock' | 'log'>;

const Signature = z.object({
  expires: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
  signature: z.string(),
});

/** px */
const RESULT_WIDTH = 384;

const TILE = /^(?:0|[1-9]\d{0,4})$/;

const isSigned = (req: Request) => req.query['signature'] !== undefined;

/**
 * The part of an image that a URL is signed for. Anyone with the URL may see it, because GitHub's image proxy has no
 * session. Null: the signature is for another part, or has expired.
 */
function readSigned({ config }: FilesContext, req: Request, name: string, nowSeconds: number) {
  const signed = Signature.safeParse(req.query);
  const crop = readCropName(name);
  if (!signed.success || crop === null || suiteOfObject(crop.image) === null) return null;
  const { expires, signature } = signed.data;
  if (!verifyObject(openingSecrets(config), { name, expires, signature }, nowSeconds)) return null;
  const maxAge = Math.min(YEAR_SECONDS, expires - nowSeconds);
  // Without an image proxy, as on an Enterprise Server, browsers load the image directly into GitHub's page.
  const headers = {
    'Cache-Control': `public, max-age=${maxAge}, immutable`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
  return { ...crop, headers };
}

/** Null: the request names none. */
function readWidth<W extends number>(req: Request, widths: readonly W[]): W | null {
  const given = req.query['width'];
  if (given === undefined) return null;
  const width = widths.find((each) => String(each) === given);
  if (width !== undefined) return width;
  throw invalid('The width is not valid', [{ path: 'width', message: `must be one of ${widths.join(', ')}` }]);
}

function readTile(req: Request, given: unknown): Wanted {
  const tile = typeof given === 'string' && TILE.test(given) ? Number(given) : null;
  if (tile === null)
    throw invalid('The tile is not valid', [{ path: 'tile', message: 'must be a whole number, 0 or more' }]);
  return { tile, scaledTo: readWidth(req, TILE_WIDTHS) };
}

/** If nothing differs, the top of the screenshot. */
async function findThumbnail(
  ctx: FilesContext,
  name: string,
  resultId: string,
  width: ThumbnailWidth,
): Promise<Wanted> {
  const box = z.guid().safeParse(resultId).success ? await findFirstChangeBox(ctx, resultId, name) : null;
  return box === null ? { width } : { box, scaledTo: width };
}

/** Null: the full image. */
async function readWanted(ctx: FilesContext, req: Request, name: string): Promise<Wanted | null> {
  const { change, result, whole, tile } = req.query;
  if (typeof change === 'string') return findChange(ctx, name, change, whole !== undefined);
  if (tile !== undefined) return readTile(req, tile);
  const width = readWidth(req, THUMBNAIL_WIDTHS);
  if (typeof result === 'string') return findThumbnail(ctx, name, result, width ?? RESULT_WIDTH);
  return width === null ? null : { width };
}

async function authorize(ctx: FilesContext, res: Response, name: string): Promise<void> {
  const viewer = await res.locals.session.viewer();
  if (viewer === null) throw notSignedIn(res.locals.session, 'Sign in to see this image');
  await requireImage(ctx, viewer, name);
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

async function send(
  { storage, log }: FilesContext,
  req: Request,
  res: Response,
  sent: Sent,
  headers: Record<string, string> = FOR_VIEWER,
): Promise<void> {
  const { name, size, type } = sent;
  // An object never changes, so its name is enough as a tag.
  const etag = `"${path.parse(name).name}"`;
  const kept = { ETag: etag, 'Accept-Ranges': 'bytes', ...headers };
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

/** The object name in the address. */
function readName(req: Request): string {
  const { name: segments } = req.params;
  return Array.isArray(segments) ? segments.join('/') : (segments ?? '');
}

function show(ctx: FilesContext): RequestHandler {
  const getThumbnail = createThumbnails(ctx);
  return async (req, res) => {
    const name = readName(req);
    res.locals.route = '/files/*';
    const nowSeconds = Math.floor(ctx.clock.now().getTime() / 1000);
    const signed = isSigned(req) ? readSigned(ctx, req, name, nowSeconds) : null;
    if (signed !== null) {
      const made = await getThumbnail(signed.image, { box: signed.box });
      await send(ctx, req, res, { ...made, type: 'image/webp' }, signed.headers);
      return;
    }
    await authorize(ctx, res, name);
    const wanted = await readWanted(ctx, req, name);
    if (wanted === null) await send(ctx, req, res, await findImage(ctx, name));
    else {
      const headers = typeof req.query['result'] === 'string' ? FOR_A_MINUTE : FOR_VIEWER;
      await send(ctx, req, res, { ...(await getThumbnail(name, wanted)), type: 'image/webp' }, headers);
    }
  };
}

/** Limits only requests with signed URLs. All others need a session. */
function limitSigned(ctx: FilesContext): RequestHandler[] {
  return rateLimits(ctx, 'signed-image').map((limit) => (req, res, next) => {
    if (isSigned(req)) void limit(req, res, next);
    else next();
  });
}

/**
 * GET and HEAD /files/<object name>, with `?tile=` for some of its rows, `?width=` or `?result=` for a thumbnail, or
 * `?change=` for the part that changed. The name of such a part with `?expires=` and `?signature=` needs no session.
 */
export function filesRouter(ctx: FilesContext): Router {
  const router = Router();
  router
    .route('/*name')
    .get(...limitSigned(ctx), show(ctx))
    .all(allowOnly(['get']));
  return router;
}
