import { fstatSync, read, readSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createGunzip } from 'node:zlib';
import { AppError, errorMessage } from '../errors.ts';
import { sha256Of } from '../text/sha256.ts';
import { refused, shownPath, type Archive, type ArchiveEntry, type ArchiveLimits } from './archive.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';

const readAt = promisify(read);
/** How many bytes are read at a time. */
const PIECE = 64 * 1024;
const MAX_PATH_LENGTH = 1024;

/** A file of an archive, whole in memory, and its SHA-256 (hex). */
export type ArchivedFile = { path: string; bytes: Uint8Array<ArrayBuffer>; sha256: string };

function readKind({ fd }: Archive): 'gzip' | 'zip' {
  const head = Buffer.alloc(4);
  readSync(fd, head, 0, 4, 0);
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head.toString('latin1') === 'PK\u0003\u0004') return 'zip';
  throw refused('it is neither a .tar.gz nor a .zip file');
}

/** A stream of Node's own would close the file. */
async function* bytesOf({ fd, size }: Archive, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafe(PIECE), 0, PIECE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Limits the total unpacked size, padding and headers included, before anything else looks at it. */
function gunzipped(archive: Archive, { anyway, ratio }: ArchiveLimits, signal: AbortSignal): Readable {
  const most = anyway + ratio * archive.size;
  let total = 0;
  const counted = new PassThrough({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > most) done(refused(`it unpacks to more than ${ratio} times its size`));
      else done(null, chunk);
    },
  });
  const source = Readable.from(bytesOf(archive, signal), { objectMode: false });
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  gunzip.on('error', (error) => counted.destroy(error));
  counted.on('close', () => {
    gunzip.destroy();
    source.destroy();
  });
  return source.pipe(gunzip).pipe(counted);
}

/** A copy in its own memory, so that it can be transferred to another thread. */
async function readContent(entry: ArchiveEntry, most: number, isOver: () => void): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of await entry.content()) {
    isOver();
    size += part.length;
    if (size > most) throw refused(`${shownPath(entry.path)} is larger than ${most} bytes`);
    parts.push(part);
  }
  const content = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    content.set(part, at);
    at += part.length;
  }
  if (entry.sum !== null && crc32(content) !== entry.sum)
    throw refused(`${shownPath(entry.path)} has a wrong checksum`);
  return content;
}

function entriesOf(archive: Archive, limits: ArchiveLimits, signal: AbortSignal): AsyncGenerator<ArchiveEntry> {
  return readKind(archive) === 'zip' ? readZip(archive, limits) : readTar(gunzipped(archive, limits, signal), limits);
}

/** Turns a fault of the archive into a sentence. Failures of this machine are passed on. */
function toRefusal(error: unknown): unknown {
  const isOurs = error instanceof AppError || (error instanceof Error && 'syscall' in error);
  return isOurs ? error : refused(`it is damaged (${errorMessage(error)})`);
}

/**
 * The path of an archive's entry, without `./` and a slash at the end. Empty: the directory itself.
 * @throws AppError `archive_refused` (422) when it leads out of the directory.
 */
function entryPath(path: string): string {
  const bad = path.startsWith('/') || /[\0\\]/.test(path) || /^[A-Za-z]:/.test(path) || path.length > MAX_PATH_LENGTH;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (bad || segments.includes('..')) throw refused(`${shownPath(path)} is not a path inside the directory`);
  return segments.join('/');
}

/**
 * The files of a `.tar.gz` or `.zip`, one after the other. Nothing is written.
 * @param fd an open file with the archive, and nothing else; it stays open
 * @param signal ends the work at the next piece
 * @throws AppError `archive_refused` (422): not an archive, damaged, over a limit, a path that leads out, a link or
 * anything else than files and directories, or the same path twice. The reason of the signal.
 */
export async function* readArchive(
  fd: number,
  limits: ArchiveLimits,
  signal: AbortSignal,
): AsyncGenerator<ArchivedFile> {
  const isOver = () => signal.throwIfAborted();
  const seen = new Set<string>();
  let entries = 0;
  let total = 0;
  try {
    for await (const entry of entriesOf({ fd, size: fstatSync(fd).size }, limits, signal)) {
      isOver();
      entries += 1;
      if (entries > 2 * limits.files) throw refused(`it has more than ${limits.files} files`);
      const path = entryPath(entry.path);
      if (entry.kind === 'other') throw refused(`${shownPath(path)} is a link or a device; only files are allowed`);
      if (entry.kind === 'directory' || path === '') continue;
      if (seen.has(path)) throw refused(`${shownPath(path)} occurs twice`);
      seen.add(path);
      if (seen.size > limits.files) throw refused(`it has more than ${limits.files} files`);
      if (entry.size > limits.file) throw refused(`${shownPath(path)} is larger than ${limits.file} bytes`);
      total += entry.size;
      if (total > limits.unpacked) throw refused(`it unpacks to more than ${limits.unpacked} bytes`);
      const bytes = await readContent(entry, limits.file, isOver);
      yield { path, bytes, sha256: sha256Of(bytes) };
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : toRefusal(error);
  }
}

/** `list`: paths and hashes of all files, in order of the paths, as JSON. `files`: how many. `bytes`: in all. */
export type ArchiveList = { list: string; files: number; bytes: number };

/**
 * Reads a whole archive of a site and returns what it contains. The list is text, because text passes quickly between
 * threads.
 * @throws as `readArchive`, and when no file is a page
 */
export async function listArchive(fd: number, limits: ArchiveLimits, signal: AbortSignal): Promise<ArchiveList> {
  const files: Pick<ArchivedFile, 'path' | 'sha256'>[] = [];
  let total = 0;
  for await (const { path, sha256, bytes } of readArchive(fd, limits, signal)) {
    files.push({ path, sha256 });
    total += bytes.length;
  }
  if (!files.some(({ path }) => path.endsWith('.html'))) throw refused('it has no .html file');
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { list: JSON.stringify(files), files: files.length, bytes: total };
}
