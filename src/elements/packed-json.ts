import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** A longer one is damaged: captures keep what they store below 1 MiB. */
const MAX_DECODED = 16 * 1024 * 1024;

/** Higher levels save little and take much longer. */
const QUALITY = 5;

const params = {
  [constants.BROTLI_PARAM_QUALITY]: QUALITY,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};

/** A few KiB for what is known of a usual page. Equal values have equal bytes. */
export const packJson = async (value: unknown): Promise<Buffer> => compress(JSON.stringify(value), { params });

/** @throws Error that says that `what` cannot be read */
export async function unpackJson<T>(bytes: Buffer, what: string, read: (json: unknown) => T): Promise<T> {
  try {
    const json = await decompress(bytes, { maxOutputLength: MAX_DECODED });
    return read(JSON.parse(json.toString('utf8')));
  } catch (cause) {
    throw new Error(`The ${what} cannot be read`, { cause });
  }
}
