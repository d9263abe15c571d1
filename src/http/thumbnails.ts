import pLimit from 'p-limit';
import { cropImage, cropWhole, shrinkImage } from '../compare/shrink-image.ts';
import type { Region } from '../compare/region.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { cropName, suiteOfObject, suitePrefix, thumbnailName, wholeCropName } from '../storage/object-name.ts';
import { isSuite } from '../suites/read-suite.ts';
import type { ThumbnailWidth } from './image-url.ts';

type ThumbnailsContext = Pick<Context, 'db' | 'storage'>;

type Thumbnail = { name: string; size: number };

/** A smaller image made of a stored one: its top at a width, or a part of it, which may have to be seen whole. */
export type Wanted = { width: ThumbnailWidth } | { box: Region } | { whole: Region };

function nameOf(image: string, wanted: Wanted): string {
  if ('width' in wanted) return thumbnailName(image, wanted.width);
  return 'box' in wanted ? cropName(image, wanted.box) : wholeCropName(image, wanted.whole);
}

async function draw(png: Buffer, wanted: Wanted): Promise<Buffer> {
  if ('width' in wanted) return shrinkImage(png, wanted.width);
  return 'box' in wanted ? cropImage(png, wanted.box) : cropWhole(png, wanted.whole);
}

/** How many thumbnails a process makes at once. Captures need the same CPU cores. */
const AT_ONCE = 2;

async function make(ctx: ThumbnailsContext, image: string, name: string, wanted: Wanted): Promise<Thumbnail> {
  const png = await ctx.storage.get(image);
  if (png === null) throw notFound('Image');
  const webp = await draw(png, wanted);
  await ctx.storage.put(name, webp);
  await forgetWithSuite(ctx, image);
  return { name, size: webp.length };
}

/** The suite and its screenshots may have been deleted while this thumbnail was being made. Then it is deleted, too. */
async function forgetWithSuite(ctx: ThumbnailsContext, image: string): Promise<void> {
  const suiteId = suiteOfObject(image);
  if (suiteId === null || (await isSuite(ctx, suiteId))) return;
  await ctx.storage.removeAll(suitePrefix(suiteId));
  throw notFound('Image');
}

/**
 * Provides thumbnails and parts of stored screenshots. Each is made on the first request for it and stored next to its
 * screenshot. Concurrent requests for the same one share the work.
 * @returns a function that throws AppError not_found if there is no such screenshot.
 */
export function createThumbnails(ctx: ThumbnailsContext): (image: string, wanted: Wanted) => Promise<Thumbnail> {
  const inTurn = pLimit(AT_ONCE);
  const underWay = new Map<string, Promise<Thumbnail>>();

  async function findOrMake(image: string, name: string, wanted: Wanted): Promise<Thumbnail> {
    const kept = await ctx.storage.stat(name);
    return kept === null ? inTurn(() => make(ctx, image, name, wanted)) : { name, size: kept.size };
  }

  return async (image, wanted) => {
    const name = nameOf(image, wanted);
    const awaited = underWay.get(name);
    if (awaited !== undefined) return awaited;
    const found = findOrMake(image, name, wanted).finally(() => underWay.delete(name));
    underWay.set(name, found);
    return found;
  };
}
