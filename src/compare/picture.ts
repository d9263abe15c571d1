/** Rows from the top, 4 bytes a pixel: red, green, blue, alpha (not premultiplied). */
export type Picture = { width: number; height: number; pixels: Buffer };

export type Size = { width: number; height: number };

/** Twice the largest viewport at the largest height (contract 3): 512 MiB in memory. */
export const MAX_PIXELS = 2 * 4096 * 16_384;

/** Rows `from` to `to`, `to` not included. */
export type Band = { from: number; to: number };

/** The rows' own bytes, not a copy. */
export function sliceRows({ width, pixels }: Pick<Picture, 'width' | 'pixels'>, { from, to }: Band): Buffer {
  return pixels.subarray(from * width * 4, to * width * 4);
}

/** The same bytes as one number a pixel, whose order of channels is the machine's. */
export function viewAsWords(pixels: Buffer): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
}

/** The upper left corner of a picture. Overwrites the picture: a copy of the largest would cost 256 MiB more. */
export function cropInPlace({ width, pixels }: Picture, corner: Size): Picture {
  if (width > corner.width) {
    for (let row = 1; row < corner.height; row += 1) {
      const start = row * width * 4;
      pixels.copyWithin(row * corner.width * 4, start, start + corner.width * 4);
    }
  }
  return { ...corner, pixels: sliceRows({ width: corner.width, pixels }, { from: 0, to: corner.height }) };
}
