import { buffer } from 'node:stream/consumers';
import { isNotFound, nullIf } from '../errors.ts';
import { PNG_HEADER_BYTES, readPngHeader } from '../png/codec.ts';
import type { Storage } from './storage.ts';

async function readHeader(storage: Storage, name: string): Promise<Buffer | null> {
  const found = await storage.stat(name);
  if (found === null || found.size < PNG_HEADER_BYTES) return null;
  return storage
    .stream(name, { start: 0, end: PNG_HEADER_BYTES - 1 })
    .then(buffer)
    .catch(nullIf(isNotFound));
}

/** The size of a stored PNG in px, read from its first bytes only. Null when it does not exist or is not a PNG. */
export async function readImageSize(storage: Storage, name: string): Promise<{ width: number; height: number } | null> {
  const header = await readHeader(storage, name);
  return header === null ? null : readPngHeader(header);
}
