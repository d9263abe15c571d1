import yauzl from 'yauzl';
import type { Entry } from 'yauzl';
import type { ArchiveEntry } from './archive-entry.ts';
import { refused, shownPath } from './build-path.ts';

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;

/** The kind in the mode that Unix writes into a zip. Others write none. */
function kindOf({ fileName, externalFileAttributes }: Entry): ArchiveEntry['kind'] {
  const type = (externalFileAttributes >>> 16) & FILE_TYPE;
  if (type !== 0 && type !== REGULAR && type !== DIRECTORY) return 'other';
  return type === DIRECTORY || fileName.endsWith('/') ? 'directory' : 'file';
}

/** The entries of a zip file. It checks each file's size against what the zip says, so a lie is an error. */
export async function* readZip(file: string): AsyncGenerator<ArchiveEntry> {
  const zip = await yauzl.openPromise(file, { autoClose: false, strictFileNames: true });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw refused(`${shownPath(entry.fileName)} is encrypted`);
      yield {
        path: entry.fileName,
        kind: kindOf(entry),
        size: entry.uncompressedSize,
        sum: entry.crc32,
        content: async () => zip.openReadStreamPromise(entry),
      };
    }
  } finally {
    zip.close();
  }
}
