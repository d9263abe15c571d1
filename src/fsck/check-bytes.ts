import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { readStoredName } from '../retention/stored-name.ts';
import type { Storage } from '../storage/storage.ts';
import type { Fault } from './fault.ts';

/** Null: it was removed meanwhile. */
async function hashObject(storage: Storage, name: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of await storage.stream(name)) hash.update(chunk);
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return null;
    throw error;
  }
  return hash.digest('hex');
}

/**
 * Checks that every object still has the bytes that it is named after. Reads all of the storage, one object at a time.
 */
export async function* checkBytes(storage: Storage): AsyncGenerator<Fault> {
  for await (const { name } of storage.list('suites/')) {
    const read = readStoredName(name);
    if (read === null || read.sha256 === null || read.as === 'derived') continue;
    const found = await hashObject(storage, name);
    if (found === null || found === read.sha256) continue;
    const message = `its bytes have the hash ${found}`;
    yield { kind: 'changed_object', suiteId: read.suiteId, subject: name, message };
  }
}
