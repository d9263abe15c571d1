import pLimit from 'p-limit';
import { shrinkImage } from '../compare/shrink-image.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { suiteOfObject, suitePrefix, thumbnailName } from '../storage/object-name.ts';
import { isSuite } from '../suites/read-suite.ts';
import type { ThumbnailWidth } from './image-url.ts';

type ThumbnailsContext = Pick<Context, 'db' | 'storage'>;

type Thumbnail = { name: string; size: number };

/** How many thumbnails a process makes at once. Captures need the same CPU cores. */
const AT_ONCE = 2;

async function make(ctx: ThumbnailsContext, image: string, name: string, width: ThumbnailWidth): Promise<Thumbnail> {
  const png = await ctx.storage.get(image);
  if (png === null) throw notFound('Image');
  const webp = await shrinkImage(png, width);
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
 * Provides thumbnails of stored screenshots. A thumbnail is made on the first request for it and stored next to its
 * screenshot. Concurrent requests for the same thumbnail share the work.
 * @returns a function that throws AppError not_found if there is no such screenshot.
 */
export function createThumbnails(ctx: ThumbnailsContext): (image: string, width: ThumbnailWidth) => Promise<Thumbnail> {
  const inTurn = pLimit(AT_ONCE);
  const underWay = new Map<string, Promise<Thumbnail>>();

  async function findOrMake(image: string, name: string, width: ThumbnailWidth): Promise<Thumbnail> {
    const kept = await ctx.storage.stat(name);
    return kept === null ? inTurn(() => make(ctx, image, name, width)) : { name, size: kept.size };
  }

  return async (image, width) => {
    const name = thumbnailName(image, width);
    const awaited = underWay.get(name);
    if (awaited !== undefined) return awaited;
    const found = findOrMake(image, name, width).finally(() => underWay.delete(name));
    underWay.set(name, found);
    return found;
  };
}
