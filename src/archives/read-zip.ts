import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { refused, shownPath, type Archive, type ArchiveEntry, type ArchiveLimits } from './archive.ts';

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;

/** Bytes of a local header, without the name and what follows it. */
const LOCAL_HEADER = 30;
/** The sizes follow the content, so the local header has none. */
const SIZES_FOLLOW = 0x8;
/** The size is in an extra field. */
const ZIP64 = 0xffffffff;
/** Maximum size of the names, comments and extra fields of each file in the directory. */
const OVERHEAD_OF_FILE = 2048;

/** The file type in the mode that Unix systems write into a zip. Other systems write none. */
function kindOf({ fileName, externalFileAttributes }: Entry): ArchiveEntry['kind'] {
  const type = (externalFileAttributes >>> 16) & FILE_TYPE;
  if (type !== 0 && type !== REGULAR && type !== DIRECTORY) return 'other';
  return type === DIRECTORY || fileName.endsWith('/') ? 'directory' : 'file';
}

const overlap = ({ fileName }: Entry) => refused(`${shownPath(fileName)} overlaps with another file`);

/** The entries in the directory of the zip, in their order in the file. Nothing is unpacked yet. */
async function readDirectory(zip: ZipFile, { size }: Archive, limits: ArchiveLimits): Promise<Entry[]> {
  const entries: Entry[] = [];
  let [unpacked, overhead] = [0, 0];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    unpacked += entry.uncompressedSize;
    overhead += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (entries.length > 2 * limits.files) throw refused(`it has more than ${limits.files} files`);
    if (overhead > limits.files * OVERHEAD_OF_FILE) throw refused('its headers are too long');
    if (entry.isEncrypted()) throw refused(`${shownPath(entry.fileName)} is encrypted`);
    if (unpacked > limits.anyway + limits.ratio * size)
      throw refused(`it unpacks to more than ${limits.ratio} times its size`);
  }
  return entries.sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
}

/** Entries must not overlap. Otherwise many names could stand for one content. */
function assertApart(entries: readonly Entry[], end: number): void {
  for (const [at, entry] of entries.entries()) {
    const { relativeOffsetOfLocalHeader: start, fileNameLength, compressedSize } = entry;
    const next = entries[at + 1]?.relativeOffsetOfLocalHeader ?? end;
    if (start + LOCAL_HEADER + fileNameLength + compressedSize > next) throw overlap(entry);
  }
}

/**
 * Checks that the header before the content agrees with the directory, and that the content ends before the next
 * header.
 */
async function assertSame(zip: ZipFile, entry: Entry, next: number): Promise<void> {
  const local = await zip.readLocalFileHeaderPromise(entry);
  const isSize = (written: number, size: number) => written === size || written === ZIP64;
  const isSame =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    ((local.generalPurposeBitFlag & SIZES_FOLLOW) !== 0 ||
      (isSize(local.compressedSize, entry.compressedSize) && isSize(local.uncompressedSize, entry.uncompressedSize)));
  if (!isSame) throw refused(`${shownPath(entry.fileName)} has two headers that differ`);
  if (local.fileDataStart + entry.compressedSize > next) throw overlap(entry);
}

/** The entries of a zip file. It checks each file's size against what the zip says, so a lie is an error. */
export async function* readZip(archive: Archive, limits: ArchiveLimits): AsyncGenerator<ArchiveEntry> {
  // Does not close the file, which belongs to the caller. Some tools for Windows write backslashes, which become slashes.
  const zip = await yauzl.fromFdPromise(archive.fd, { autoClose: false });
  const entries = await readDirectory(zip, archive, limits);
  assertApart(entries, archive.size);
  for (const [at, entry] of entries.entries()) {
    yield {
      path: entry.fileName,
      kind: kindOf(entry),
      size: entry.uncompressedSize,
      sum: entry.crc32,
      content: async () => {
        await assertSame(zip, entry, entries[at + 1]?.relativeOffsetOfLocalHeader ?? archive.size);
        return zip.openReadStreamPromise(entry);
      },
    };
  }
}
