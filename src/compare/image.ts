/** Rows from the top, 4 bytes per pixel: red, green, blue, alpha (not premultiplied). */
export type Image = { width: number; height: number; pixels: Buffer };

export type Size = { width: number; height: number };

/** Twice the largest viewport at the largest height (contract 3): 512 MiB in memory. */
export const MAX_PIXELS = 2 * 4096 * 16_384;

/** The rows from `from` up to, but not including, `to`. */
export type Band = { from: number; to: number };

/** The rows' own bytes, not a copy. */
export function sliceRows({ width, pixels }: Pick<Image, 'width' | 'pixels'>, { from, to }: Band): Buffer {
  return pixels.subarray(from * width * 4, to * width * 4);
}

/** The same bytes as one number per pixel. The order of its channels depends on the machine. */
export function viewAsWords(pixels: Buffer): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
}

/** Crops to the upper left corner. Overwrites the image, because a copy of the largest would take 256 MiB more. */
export function cropInPlace({ width, pixels }: Image, corner: Size): Image {
  if (width > corner.width) {
    for (let row = 1; row < corner.height; row += 1) {
      const start = row * width * 4;
      pixels.copyWithin(row * corner.width * 4, start, start + corner.width * 4);
    }
  }
  return { ...corner, pixels: sliceRows({ width: corner.width, pixels }, { from: 0, to: corner.height }) };
}
