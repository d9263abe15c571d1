import pLimit from 'p-limit';
import { z } from 'zod';
import type { Viewer } from '../auth/user.ts';
import { cropImage, cropWhole, shrinkImage } from '../compare/shrink-image.ts';
import { countTiles, cutTiles } from '../compare/tile.ts';
import type { Context } from '../context.ts';
import type { Region } from '../elements/region.ts';
import { notFound } from '../errors.ts';
import type { Size } from '../png/image.ts';
import { findChangeBox } from '../runs/results/read-changes.ts';
import {
  cropName,
  smallCropName,
  suiteOfObject,
  suitePrefix,
  thumbnailName,
  tileName,
  wholeCropName,
} from '../storage/object-name.ts';
import { readImageSize } from '../storage/read-image-size.ts';
import { isSuite, mayReadSuite } from '../suites/read-suite.ts';
import type { ThumbnailWidth, TileWidth } from './image-url.ts';

type ThumbnailsContext = Pick<Context, 'db' | 'storage'>;

type Thumbnail = { name: string; size: number };

/** A tile of an image, and the width that it is scaled to. Null: as it is. */
type Tile = { tile: number; scaledTo: TileWidth | null };

/** The top of an image at a width, or a part of it: scaled for a list, on its own, or never cut off. */
type Part = { width: ThumbnailWidth } | { box: Region; scaledTo?: ThumbnailWidth } | { whole: Region };

/** A smaller image that is made from a stored one. */
export type Wanted = Tile | Part;

function nameOf(image: string, wanted: Wanted): string {
  if ('tile' in wanted) return tileName(image, wanted.tile, wanted.scaledTo);
  if ('width' in wanted) return thumbnailName(image, wanted.width);
  if ('whole' in wanted) return wholeCropName(image, wanted.whole);
  const { box, scaledTo } = wanted;
  return scaledTo === undefined ? cropName(image, box) : smallCropName(image, box, scaledTo);
}

async function draw(png: Buffer, wanted: Part): Promise<Buffer> {
  if ('width' in wanted) return shrinkImage(png, wanted.width);
  return 'whole' in wanted ? cropWhole(png, wanted.whole) : cropImage(png, wanted.box, wanted.scaledTo);
}

/** How many thumbnails a process makes at once. Captures need the same CPU cores. */
const AT_ONCE = 2;

/** How many tiles are made together. Unscaled ones take longer to encode than to decode. */
const TOGETHER = { scaled: 4, asTheyAre: 1 } as const;

const countTogether = ({ scaledTo }: Tile) => (scaledTo === null ? TOGETHER.asTheyAre : TOGETHER.scaled);
const firstTogether = (wanted: Tile) => wanted.tile - (wanted.tile % countTogether(wanted));

/** The requested tile, and those that are made together with it. */
function listTiles(wanted: Tile, count: number): number[] {
  const first = firstTogether(wanted);
  return Array.from({ length: Math.min(countTogether(wanted), count - first) }, (_, at) => first + at);
}

async function readPng({ storage }: ThumbnailsContext, image: string): Promise<Buffer> {
  const png = await storage.get(image);
  if (png === null) throw notFound('Image');
  return png;
}

/** Only existing tiles of the image are made, so nobody can fill the storage. */
async function assertTile({ storage }: ThumbnailsContext, image: string, { tile, scaledTo }: Tile): Promise<Size> {
  const size = await readImageSize(storage, image);
  const isThere = size !== null && tile < countTiles(size) && (scaledTo === null || scaledTo < size.width);
  if (!isThere) throw notFound('Image');
  return size;
}

/** Each object that is made together with the wanted one, by name. */
async function drawAll(ctx: ThumbnailsContext, image: string, wanted: Wanted): Promise<[string, Buffer][]> {
  if (!('tile' in wanted)) return [[nameOf(image, wanted), await draw(await readPng(ctx, image), wanted)]];
  const size = await assertTile(ctx, image, wanted);
  const tiles = listTiles(wanted, countTiles(size));
  const drawn = await cutTiles(await readPng(ctx, image), size, tiles, wanted.scaledTo);
  return drawn.map((webp, at) => [tileName(image, tiles[at] ?? 0, wanted.scaledTo), webp]);
}

/** @returns sizes by name */
async function make(ctx: ThumbnailsContext, image: string, wanted: Wanted): Promise<Map<string, number>> {
  const drawn = await drawAll(ctx, image, wanted);
  for (const [name, webp] of drawn) await ctx.storage.put(name, webp);
  await forgetWithSuite(ctx, image);
  return new Map(drawn.map(([name, webp]) => [name, webp.length]));
}

/** The suite and its screenshots may have been deleted while this thumbnail was being made. Then it is deleted, too. */
async function forgetWithSuite(ctx: ThumbnailsContext, image: string): Promise<void> {
  const suiteId = suiteOfObject(image);
  if (suiteId === null || (await isSuite(ctx, suiteId))) return;
  await ctx.storage.removeAll(suitePrefix(suiteId));
  throw notFound('Image');
}

/**
 * Provides thumbnails, tiles and parts of stored screenshots. Each is made on the first request for it and stored next to
 * its screenshot. Concurrent requests share the work.
 * @returns a function that throws AppError not_found if there is no such screenshot, or no such tile of it.
 */
export function createThumbnails(ctx: ThumbnailsContext): (image: string, wanted: Wanted) => Promise<Thumbnail> {
  const inTurn = pLimit(AT_ONCE);
  const underWay = new Map<string, Promise<Map<string, number>>>();

  async function share(image: string, wanted: Wanted): Promise<Map<string, number>> {
    const together = 'tile' in wanted ? { ...wanted, tile: firstTogether(wanted) } : wanted;
    const name = nameOf(image, together);
    const making = underWay.get(name) ?? inTurn(() => make(ctx, image, wanted)).finally(() => underWay.delete(name));
    underWay.set(name, making);
    return making;
  }

  return async (image, wanted) => {
    const name = nameOf(image, wanted);
    const kept = await ctx.storage.stat(name);
    if (kept !== null) return { name, size: kept.size };
    // Others may be waiting for another tile, which must not fail together with this one.
    if ('tile' in wanted) await assertTile(ctx, image, wanted);
    return { name, size: (await share(image, wanted)).get(name) ?? 0 };
  };
}

/** An image is visible to people who may read its suite. @throws AppError not_found, forbidden */
export async function requireImage(ctx: Pick<Context, 'db'>, viewer: Viewer, name: string): Promise<void> {
  const suiteId = suiteOfObject(name);
  if (suiteId === null || !(await mayReadSuite(ctx, viewer, suiteId))) throw notFound('Image');
}

/** The box of the requested side of a change. @throws AppError not_found */
export async function findChange(
  ctx: Pick<Context, 'db'>,
  name: string,
  changeId: string,
  isWhole: boolean,
): Promise<Wanted> {
  if (!z.guid().safeParse(changeId).success) throw notFound('Image');
  const box = await findChangeBox(ctx, changeId, name, isWhole);
  if (box === null) throw notFound('Image');
  return isWhole ? { whole: box } : { box };
}
