import sharp from 'sharp';
import { decodeRows, reading } from '../png/codec.ts';
import type { Band, Size } from '../png/image.ts';

/** px. Review pages load only visible tiles. Smaller tiles load less that is not visible, but need more requests. */
const HEIGHT = 1024;

/** Rows that a tile repeats of the next one, so that no line shows between the two at any scale, px. */
const OVERLAP = 8;

export const countTiles = ({ height }: Size): number => Math.ceil(height / HEIGHT);

/** The rows of an image that a tile shows, numbered from 0 at the top. */
export function tileRows({ height }: Size, tile: number): Band {
  return { from: tile * HEIGHT, to: Math.min(height, (tile + 1) * HEIGHT + OVERLAP) };
}

/** The tiles that show some of these rows. */
export function tilesIn({ from, to }: Band): number[] {
  const first = Math.floor(from / HEIGHT);
  return Array.from({ length: Math.max(0, Math.ceil(to / HEIGHT) - first) }, (_, at) => first + at);
}

/** For speed, as for thumbnails. */
const SCALED = { quality: 75, effort: 1 } as const;
/** Higher efforts take longer and hardly make the files of screenshots smaller. */
const EXACT = { lossless: true, effort: 1 } as const;

/**
 * Tiles that follow each other as WebP. The rows above them have to be decoded as well, so it is cheaper to make several
 * at once.
 * @param width to scale to. Null: every pixel is kept as it is.
 * @throws Error when the file is not a readable PNG.
 */
export async function cutTiles(png: Buffer, size: Size, tiles: number[], width: number | null): Promise<Buffer[]> {
  const bands = tiles.map((tile) => tileRows(size, tile));
  const from = bands[0]?.from ?? 0;
  const rows = { from, to: bands.at(-1)?.to ?? from };
  const pixels = await decodeRows(png, size, rows, 'stored');
  const raw = { width: size.width, height: rows.to - rows.from, channels: 4 } as const;
  const made: Buffer[] = [];
  for (const band of bands) {
    const area = { left: 0, top: band.from - from, width: size.width, height: band.to - band.from };
    const tile = sharp(pixels, { raw, limitInputPixels: false }).extract(area);
    const drawn = width === null ? tile.webp(EXACT) : tile.resize({ width }).webp(SCALED);
    made.push(await reading('stored', () => drawn.toBuffer()));
  }
  return made;
}
