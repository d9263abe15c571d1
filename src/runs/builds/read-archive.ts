import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { AppError, errorMessage } from '../../errors.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import type { ArchiveLimits } from './build.ts';
import { entryPath, refused, shownPath } from './build-path.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';

async function readKind(file: string): Promise<'gzip' | 'zip'> {
  const handle = await open(file, 'r');
  try {
    const head = Buffer.alloc(4);
    await handle.read(head, 0, 4, 0);
    if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
    if (head.toString('latin1') === 'PK\u0003\u0004') return 'zip';
  } finally {
    await handle.close();
  }
  throw refused('it is neither a .tar.gz nor a .zip file');
}

/** What an archive unpacks to in all, padding and headers included, is bounded before anything looks at it. */
function gunzipped(file: string, limits: ArchiveLimits): Readable {
  const most = limits.unpacked + limits.files * 2048;
  let total = 0;
  const counted = new PassThrough({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > most) done(refused(`it unpacks to more than ${limits.unpacked} bytes`));
      else done(null, chunk);
    },
  });
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  gunzip.on('error', (error) => counted.destroy(error));
  counted.on('close', () => {
    gunzip.destroy();
    source.destroy();
  });
  return source.pipe(gunzip).pipe(counted);
}

async function readContent(entry: ArchiveEntry, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of await entry.content()) {
    size += part.length;
    if (size > most) throw refused(`${shownPath(entry.path)} is larger than ${most} bytes`);
    parts.push(part);
  }
  const content = Buffer.concat(parts, size);
  if (entry.sum !== null && crc32(content) !== entry.sum)
    throw refused(`${shownPath(entry.path)} has a wrong checksum`);
  return content;
}

async function* entriesOf(file: string, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  if ((await readKind(file)) === 'zip') yield* readZip(file);
  else yield* readTar(gunzipped(file, limits));
}

/** A fault of the archive, in a sentence; failures of this machine stay what they are. */
function toRefusal(error: unknown): unknown {
  const isOurs = error instanceof AppError || (error instanceof Error && 'syscall' in error);
  return isOurs ? error : refused(`it is damaged (${errorMessage(error)})`);
}

/**
 * The files of a `.tar.gz` or `.zip` on disk, one after the other, each whole in memory. Nothing is written.
 * @throws AppError `archive_refused` (422): not an archive, damaged, over a limit, a path that leads out, a link or
 * anything else than files and directories, or the same path twice.
 */
export async function* readArchive(
  file: string,
  limits: ArchiveLimits,
): AsyncGenerator<{ path: string; bytes: Buffer }> {
  const seen = new Set<string>();
  let entries = 0;
  let total = 0;
  try {
    for await (const entry of entriesOf(file, limits)) {
      entries += 1;
      if (entries > 2 * limits.files) throw refused(`it has more than ${limits.files} files`);
      const path = entryPath(entry.path);
      if (entry.kind === 'other') throw refused(`${shownPath(path)} is a link or a device; only files are allowed`);
      if (entry.kind === 'directory' || path === '') continue;
      if (seen.has(path)) throw refused(`${shownPath(path)} occurs twice`);
      seen.add(path);
      if (seen.size > limits.files) throw refused(`it has more than ${limits.files} files`);
      if (entry.size > limits.file) throw refused(`${shownPath(path)} is larger than ${limits.file} bytes`);
      const bytes = await readContent(entry, limits.file);
      total += bytes.length;
      if (total > limits.unpacked) throw refused(`it unpacks to more than ${limits.unpacked} bytes`);
      yield { path, bytes };
    }
  } catch (error) {
    throw toRefusal(error);
  }
}
