import { buffer } from 'node:stream/consumers';
import { AppError } from '../errors.ts';
import type { Storage } from './storage.ts';

/** A PNG begins with its signature and the length and name of its first chunk, which is always the same one. */
const START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);

/** The start, and two numbers of 4 bytes. */
const HEADER_BYTES = START.length + 8;

async function readHeader(storage: Storage, name: string): Promise<Buffer | null> {
  const found = await storage.stat(name);
  if (found === null || found.size < HEADER_BYTES) return null;
  try {
    return await buffer(await storage.stream(name, { start: 0, end: HEADER_BYTES - 1 }));
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return null;
    throw error;
  }
}

/** Of a stored PNG, in px, by its first bytes alone; null when it is not there or is none. */
export async function readPictureSize(
  storage: Storage,
  name: string,
): Promise<{ width: number; height: number } | null> {
  const header = await readHeader(storage, name);
  if (header === null || !header.subarray(0, START.length).equals(START)) return null;
  const [width, height] = [header.readUInt32BE(START.length), header.readUInt32BE(START.length + 4)];
  return width > 0 && height > 0 ? { width, height } : null;
}
