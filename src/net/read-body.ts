import { Writable, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** The encodings that a server may use, sent in `accept-encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

// If a stream ends early, we still get what has arrived, as in a browser.
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** Servers disagree on whether `deflate` has a zlib header (RFC 9110 says it does). The first byte tells. */
function inflaterFor(firstByte: number | undefined): Transform {
  return ((firstByte ?? 0) & 0x0f) === 8 ? createInflate(LENIENT) : createInflateRaw(LENIENT);
}

function decoderFor(encoding: string, firstByte: number | undefined): Transform | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(LENIENT);
    case 'br':
      return createBrotliDecompress(LENIENT_BROTLI);
    case 'deflate':
      return inflaterFor(firstByte);
    case 'zstd':
      throw new Error('It is compressed with zstd, which was not asked for');
    default:
      // As browsers do: some servers name a charset, or `none`.
      return null;
  }
}

async function peekFirstByte(stream: Readable): Promise<number | undefined> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    stream.unshift(bytes);
    if (bytes.length > 0) return bytes[0];
  }
  return undefined;
}

/** The decoded body, cut off after `maxBytes`, which also stops the download. The stream is always ended. */
export async function readBody(
  stream: Readable,
  contentEncoding: string,
  maxBytes: number,
): Promise<{ body: Buffer<ArrayBuffer>; truncated: boolean }> {
  const encodings = contentEncoding.split(',').map((name) => name.trim().toLowerCase());
  const firstByte = encodings.includes('deflate') ? await peekFirstByte(stream) : undefined;
  const decoders = encodings
    .toReversed()
    .map((name) => decoderFor(name, firstByte))
    .filter((decoder) => decoder !== null);
  const chunks: Buffer[] = [];
  let size = 0;
  const collector = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      size += chunk.length;
      done(size > maxBytes ? new Error('The body is too long') : null);
    },
  });
  try {
    await pipeline([stream, ...decoders, collector]);
  } catch (error) {
    if (size <= maxBytes) throw error;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: size > maxBytes };
}
