import { once } from 'node:events';
import { constants, createDeflate } from 'node:zlib';
import { chunk, SIGNATURE } from './codec.ts';
import { viewAsWords, type Size } from './image.ts';

/** RGBA with 8 bits per channel, in rows from the top. */
const COLOR = [8, 6, 0, 0, 0];

/** PNG's filter that stores the difference to the row above: nothing but zeros where a page is blank. */
const UP = 2;

/** Each of the four bytes of one word minus that of another one. */
function subtractBytes(one: number, other: number): number {
  return ((one | 0x80808080) - (other & 0x7f7f7f7f)) ^ ((one ^ ~other) & 0x80808080);
}

/** The rows with their filter. `above` is the row before, and becomes the last of these. */
function filterRows(rows: Uint32Array, above: Uint32Array): Buffer {
  const width = above.length;
  const filtered = Buffer.allocUnsafe((rows.length / width) * (width * 4 + 1));
  const line = new Uint32Array(width);
  for (let from = 0, to = 0; from < rows.length; from += width, to += width * 4 + 1) {
    for (let x = 0; x < width; x += 1) {
      const word = rows[from + x] ?? 0;
      line[x] = subtractBytes(word, above[x] ?? 0);
      above[x] = word;
    }
    filtered[to] = UP;
    filtered.set(new Uint8Array(line.buffer), to + 1);
  }
  return filtered;
}

/**
 * A PNG of an image that is never in memory as a whole. Takes three times as long as sharp, which needs all of it.
 * @param rows that are read at once.
 * @param readRows pixels of the rows from `top` up to `bottom`, 4 bytes each.
 */
export async function encodeStrips(
  { width, height }: Size,
  rows: number,
  readRows: (top: number, bottom: number) => Buffer,
): Promise<Buffer> {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  const parts: Buffer[] = [];
  const deflate = createDeflate({ level: 1, strategy: constants.Z_RLE, chunkSize: 2 ** 20 });
  deflate.on('data', (data: Buffer) => parts.push(data));
  const ended = once(deflate, 'end');
  const above = new Uint32Array(width);
  for (let top = 0; top < height; top += rows) {
    const strip = viewAsWords(readRows(top, Math.min(height, top + rows)));
    if (!deflate.write(filterRows(strip, above))) await once(deflate, 'drain');
  }
  deflate.end();
  await ended;
  const start = [SIGNATURE, ...chunk('IHDR', [header, Buffer.from(COLOR)])];
  return Buffer.concat([...start, ...chunk('IDAT', parts), ...chunk('IEND', [])]);
}
