/**
 * Rows of 4 bytes per pixel: red, green, blue, alpha (not premultiplied). From the top, one after the other, unless the
 * image shares its rows.
 */
export type Image = { width: number; height: number; pixels: Buffer; shared?: SharedRows };

/**
 * The position of each row in `pixels`, counted in rows. Equal rows are stored once. The space from `pool.used` on is
 * free.
 */
export type SharedRows = { places: Uint32Array; pool: { used: number } };

export type Size = { width: number; height: number };

/** The area of the largest screenshot, 65,536 px high: 512 MiB in memory. */
export const MAX_PIXELS = 2048 * 65_536;

/** The rows from `from` up to, but not including, `to`. */
export type Band = { from: number; to: number };

/** The rows' own bytes, not a copy. */
export function sliceRows({ width, pixels }: Pick<Image, 'width' | 'pixels'>, { from, to }: Band): Buffer {
  return pixels.subarray(from * width * 4, to * width * 4);
}

/** A Buffer over the bytes of another typed array. Nothing is copied. */
export const bufferOver = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The same bytes as one number per pixel. The order of its channels depends on the machine. */
export function viewAsWords(pixels: Buffer): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
}

/** Where a row starts, in pixels from the first. */
export function startOfRow({ width, shared }: Image, row: number): number {
  return (shared?.places[row] ?? row) * width;
}

/** Part of an image, `x` to `x + width` of the rows. The original bytes if they are contiguous, otherwise a copy. */
export function cropRows(image: Image, x: number, width: number, { from, to }: Band): Buffer {
  if (width === image.width && image.shared === undefined) return sliceRows(image, { from, to });
  const copy = Buffer.allocUnsafeSlow((to - from) * width * 4);
  for (let row = from; row < to; row += 1) {
    const start = (startOfRow(image, row) + x) * 4;
    image.pixels.copy(copy, (row - from) * width * 4, start, start + width * 4);
  }
  return copy;
}
