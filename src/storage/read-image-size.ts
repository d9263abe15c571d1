import { buffer } from 'node:stream/consumers';
import { isNotFound, nullIf } from '../errors.ts';
import { PNG_END, PNG_HEADER_BYTES, readPngHeader } from '../png/codec.ts';
import type { Storage } from './storage.ts';

/** So many bytes of an object. Null when it does not exist, or has fewer. @param from where they start, by its size */
async function readSome(
  storage: Storage,
  name: string,
  { length, from }: { length: number; from: (size: number) => number },
): Promise<Buffer | null> {
  const found = await storage.stat(name);
  if (found === null || found.size < length) return null;
  const start = from(found.size);
  return storage
    .stream(name, { start, end: start + length - 1 })
    .then(buffer)
    .catch(nullIf(isNotFound));
}

/** The size of a stored PNG in px, read from its first bytes only. Null when it does not exist or is not a PNG. */
export async function readImageSize(storage: Storage, name: string): Promise<{ width: number; height: number } | null> {
  const header = await readSome(storage, name, { length: PNG_HEADER_BYTES, from: () => 0 });
  return header === null ? null : readPngHeader(header);
}

/** Whether a PNG is stored up to its end, by its last bytes only. A disk or a copy may have cut it off. */
export async function isWholeImage(storage: Storage, name: string): Promise<boolean> {
  const { length } = PNG_END;
  return (await readSome(storage, name, { length, from: (size) => size - length }))?.equals(PNG_END) ?? false;
}
