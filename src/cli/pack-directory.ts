import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { create } from 'tar';
import { errorMessage, readErrorCode } from '../errors.ts';
import { FilesError, UsageError } from './outcome.ts';

const REASONS: Partial<Record<string, string>> = {
  ENOENT: 'is a link to a file that is not there',
  ELOOP: 'is a link that leads to itself',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
  ENAMETOOLONG: 'has too long a path',
};

function describeFault(file: string, error: unknown): FilesError {
  const reason = REASONS[readErrorCode(error) ?? ''] ?? `could not be read (${errorMessage(error)})`;
  return new FilesError(`${file} ${reason}`);
}

async function attempt<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw describeFault(file, error);
  }
}

/** @param above the real paths of the directories that contain this one. A link to one of them would never end. */
async function listFiles(root: string, directory: string, above: ReadonlySet<string>): Promise<string[]> {
  const place = path.join(root, directory);
  const real = await attempt(place, realpath(place));
  if (above.has(real)) throw new FilesError(`${place} is a link to a directory that it is in`);
  const inside = new Set([...above, real]);
  const found: string[] = [];
  for (const name of await attempt(place, readdir(place))) {
    const file = `${directory}/${name}`;
    const kind = await attempt(path.join(root, file), stat(path.join(root, file)));
    if (kind.isDirectory()) found.push(...(await listFiles(root, file, inside)));
    else if (kind.isFile()) found.push(file);
    else throw new FilesError(`${path.join(root, file)} is neither a file nor a directory`);
  }
  return found;
}

/** A file that is linked to another one is written again, because the server refuses links. */
const linkCache = new (class extends Map<`${number}:${number}`, string> {
  override set() {
    return this;
  }
})();

type Packed = {
  archive: ReadableStream<Uint8Array>;
  /** The error that reading a file caused while the archive was being sent. */
  fault: () => FilesError | null;
};

/**
 * All files of a directory as an archive. Links are followed, because the server refuses them. Owners and times are
 * left out, so the same files give the same archive.
 * @throws UsageError when it is not a directory; FilesError when something in it cannot be read.
 */
export async function packDirectory(root: string): Promise<Packed> {
  const found = await stat(root).catch(() => null);
  if (found?.isDirectory() !== true) throw new UsageError(`${root} is not a directory`);
  const files = await listFiles(root, '.', new Set());
  if (files.length === 0) throw new UsageError(`${root} has no files`);
  const options = { cwd: root, gzip: true, portable: true, noMtime: true, follow: true, noDirRecurse: true, linkCache };
  const chunks: AsyncIterator<Buffer> = create(options, files)[Symbol.asyncIterator]();
  let fault: FilesError | null = null;
  const archive = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        const path = error instanceof Error && 'path' in error ? String(error.path) : root;
        fault = describeFault(path, error);
        controller.error(fault);
      }
    },
  });
  return { archive, fault: () => fault };
}
