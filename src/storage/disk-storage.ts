import { randomUUID } from 'node:crypto';
import {
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { hasCode, notFound, nullIf } from '../errors.ts';
import {
  assertRange,
  objectName,
  objectPrefix,
  RENEWED_AFTER,
  unlessMissing,
  using,
  type ByteRange,
  type Storage,
  type StoredObject,
} from './storage.ts';

/** A file that was created, renamed or linked survives a power failure only after its directory was synced. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const PROBE = Buffer.from('probe');

/** No object has this name, as it begins with a dot. Below the root, because a rename can't cross file systems. */
const PARTS = '.parts';

/**
 * Milliseconds after which nobody can still be writing a part. We go by age and not by process id, because other hosts
 * and containers write to the same volume, and their process ids mean nothing here.
 */
const ABANDONED_AFTER = 3_600_000;

/** ENOTDIR, EISDIR: the name contains an object as a directory, or is the name of a directory. */
const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR');

async function sweepParts(parts: string): Promise<void> {
  for (const name of await readdir(parts)) {
    const part = path.join(parts, name);
    const found = await unlessMissing(isMissing, () => stat(part));
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER) await rm(part, { force: true });
  }
}

/** Makes a directory. Returns the highest one with a new entry: itself if it was there. */
async function makeDirectory(directory: string): Promise<string> {
  const highest = await mkdir(directory, { recursive: true });
  return highest === undefined ? directory : path.dirname(highest);
}

/** What is in these directories survives a power failure. In one that was removed meanwhile, nothing has to. */
async function syncUp(directory: string, top: string): Promise<void> {
  for (let at = directory; at.length >= top.length; at = path.dirname(at)) {
    await syncDirectory(at).catch(nullIf((error) => hasCode(error, 'ENOENT')));
  }
}

/** The folder of the parts, and with it the root of the storage. */
async function makeParts(parts: string): Promise<void> {
  const top = await makeDirectory(parts);
  if (top !== parts) await syncUp(parts, top);
}

/** How often somebody may remove a directory between its making and its use. */
const REMOVALS = 100;

/** `removeAll` may take the directory away at any moment. Then it is made again, as S3 would store the object. */
async function moveInto(file: string, part: string): Promise<void> {
  const directory = path.dirname(file);
  let top = directory;
  for (let removals = 0; ; removals += 1) {
    try {
      const made = await makeDirectory(directory);
      if (made.length < top.length) top = made;
      await rename(part, file);
      break;
    } catch (error) {
      if (!hasCode(error, 'ENOENT') || removals === REMOVALS) throw error;
    }
  }
  await syncUp(directory, top);
}

const writePart = async (part: string, bytes: Buffer) => writeFile(part, bytes, { flag: 'wx', flush: true });

/** A reader sees the whole file or none. Once this returns, the file survives a crash of the machine. */
async function writeWhole(parts: string, file: string, bytes: Buffer): Promise<void> {
  const part = path.join(parts, randomUUID());
  await makeParts(parts);
  try {
    await writePart(part, bytes);
    await moveInto(file, part);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Whether the object exists, and is not cut off. If so, it counts as stored just now. */
async function renew(file: string, size: number): Promise<boolean> {
  const found = await unlessMissing(isMissing, () => stat(file));
  if (found?.isFile() !== true || found.size < size) return false;
  if (Date.now() - found.mtimeMs < RENEWED_AFTER) return true;
  const now = new Date();
  return (await unlessMissing(isMissing, async () => utimes(file, now, now).then(() => true))) ?? false;
}

/** It is moved away first, so that a process that stores it again at this moment finds it missing and writes it. */
async function removeOlder(parts: string, file: string, before: Date): Promise<boolean> {
  const isOld = async (at: string) => {
    const found = await unlessMissing(isMissing, () => stat(at));
    return found?.isFile() === true && found.mtime < before;
  };
  if (!(await isOld(file))) return false;
  const part = path.join(parts, randomUUID());
  await makeParts(parts);
  const moved = await unlessMissing(isMissing, async () => rename(file, part).then(() => true));
  if (moved === null) return false;
  const isStillOld = await isOld(part);
  await (isStillOld ? rm(part) : rename(part, file));
  return isStillOld;
}

async function readSize(file: string): Promise<{ size: number } | null> {
  const found = await unlessMissing(isMissing, () => stat(file));
  return found?.isFile() ? { size: found.size } : null;
}

async function streamFrom(handle: FileHandle, range?: ByteRange): Promise<Readable> {
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw notFound('Stored object');
    if (range !== undefined) assertRange(range, found.size);
    return handle.createReadStream(range ?? {});
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads one directory of each level at a time. Names that begin with a dot are not objects. */
async function* listBelow(base: string, prefix: string): AsyncGenerator<StoredObject> {
  const directory = await unlessMissing(isMissing, () => opendir(path.join(base, prefix)));
  if (directory === null) return;
  for await (const entry of directory) {
    const name = prefix + entry.name;
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) yield* listBelow(base, `${name}/`);
    else {
      const found = await unlessMissing(isMissing, () => stat(path.join(base, name)));
      if (found !== null) yield { name, storedAt: found.mtime, size: found.size };
    }
  }
}

/** Stores objects as files below `root`. Processes on this host and on others may share it. */
export function createDiskStorage(root: string): Storage {
  const base = path.resolve(root);
  const parts = path.join(base, PARTS);
  // What was last too much for the disk, which may still have room for less. A check writes it again.
  let refused: Buffer = PROBE;
  // Abandoned parts do no harm. If something prevents their removal, the first write fails with an error.
  const swept = sweepParts(parts).catch(() => undefined);
  const toFilePath = (name: string) => path.join(base, objectName(name));

  return {
    async put(name, bytes) {
      const file = toFilePath(name);
      if (await renew(file, bytes.length)) return;
      try {
        await using(() => writeWhole(parts, file, bytes));
      } catch (error) {
        refused = bytes;
        throw error;
      }
    },
    async get(name) {
      const file = toFilePath(name);
      return unlessMissing(isMissing, () => readFile(file));
    },
    stat: async (name) => readSize(toFilePath(name)),
    async stream(name, range) {
      const file = toFilePath(name);
      const handle = await unlessMissing(isMissing, () => open(file, 'r'));
      if (handle === null) throw notFound('Stored object');
      return streamFrom(handle, range);
    },
    list: (prefix) => listBelow(base, objectPrefix(prefix)),
    async removeAll(prefix) {
      const directory = path.join(base, objectPrefix(prefix));
      await using(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
    },
    async removeOlder(name, before) {
      const file = toFilePath(name);
      return using(() => removeOlder(parts, file, before));
    },
    async space() {
      const found = await unlessMissing(isMissing, () => statfs(base));
      if (found === null) return null;
      return { used: (found.blocks - found.bfree) * found.bsize, free: found.bavail * found.bsize };
    },
    async check() {
      await swept;
      await using(async () => {
        const probe = path.join(parts, randomUUID());
        await makeParts(parts);
        try {
          await writePart(probe, refused);
          refused = PROBE;
        } finally {
          await rm(probe, { force: true });
        }
      });
    },
  };
}
