import type { Readable } from 'node:stream';
import { Header, Pax } from 'tar';
import { refused, type ArchiveEntry, type ArchiveLimits } from './archive.ts';

const BLOCK = 512;
const EMPTY = Buffer.alloc(0);
const ZEROS = Buffer.alloc(64 * 1024);
/** Maximum size of what may accompany a header, such as a long path. */
const MAX_EXTENSION = 1024 * 1024;
/** A tar is padded to a multiple of 10 KiB, or of another size. */
const MAX_PADDING = 1024 * 1024;
/**
 * How much each file may add to the archive besides its content: its header, those of extensions and directories, and
 * padding.
 */
const OVERHEAD_OF_FILE = 4096;

/** Reads bytes of a stream on request. */
function reader(stream: Readable) {
  const chunks = stream.iterator();
  let held: Buffer = EMPTY;
  let taken = 0;
  /** The next bytes, `most` or fewer. Null at the end. */
  async function some(most: number): Promise<Buffer | null> {
    while (held.length === 0) {
      const next = await chunks.next();
      if (next.done === true) return null;
      held = next.value;
    }
    const part = held.subarray(0, most);
    held = held.subarray(part.length);
    taken += part.length;
    return part;
  }
  /** Exactly this many bytes, or null at the end. @throws if there are fewer. */
  async function exactly(size: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    for (let left = size; left > 0;) {
      const part = await some(left);
      if (part === null && left === size) return null;
      if (part === null) throw refused('it is damaged (it ends in the middle of a file)');
      parts.push(part);
      left -= part.length;
    }
    const [first = EMPTY] = parts;
    return parts.length === 1 ? first : Buffer.concat(parts, size);
  }
  return { some, exactly, taken: () => taken };
}

type Reader = ReturnType<typeof reader>;

function isZero(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += ZEROS.length) {
    const part = bytes.subarray(at, at + ZEROS.length);
    if (!part.equals(ZEROS.subarray(0, part.length))) return false;
  }
  return true;
}

/** A block of zeros ends a tar. More of them may follow. */
async function readPadding({ some }: Reader): Promise<void> {
  let padding = 0;
  for (let part = await some(ZEROS.length); part !== null; part = await some(ZEROS.length)) {
    padding += part.length;
    if (padding > MAX_PADDING) throw refused(`it is followed by more than ${MAX_PADDING} bytes of padding`);
    if (!isZero(part)) throw refused('it is damaged (something follows its end)');
  }
}

function kindOf({ type }: Header): ArchiveEntry['kind'] {
  if (type === 'File' || type === 'OldFile' || type === 'ContiguousFile') return 'file';
  return type === 'Directory' || type === 'GNUDumpDir' ? 'directory' : 'other';
}

/** Attributes of the next entry, and of all following ones. */
type Extensions = { next: Pax | undefined; all: Pax | undefined };

/** Stores what an entry says about the following ones. False: it is an entry itself. */
async function readExtension({ exactly }: Reader, { type, size = 0 }: Header, known: Extensions): Promise<boolean> {
  const isPath = type === 'NextFileHasLongPath' || type === 'OldGnuLongPath';
  const isPax = type === 'ExtendedHeader' || type === 'OldExtendedHeader';
  if (!isPath && !isPax && type !== 'GlobalExtendedHeader' && type !== 'NextFileHasLongLinkpath') return false;
  if (size > MAX_EXTENSION) throw refused(`it cannot be read: a header has more than ${MAX_EXTENSION} bytes`);
  const text = String(await exactly(size));
  if (text.includes('GNU.sparse.')) throw refused('it cannot be read: it has a sparse file');
  const [path = ''] = text.split('\0', 1);
  if (isPath) known.next = Object.assign(known.next ?? new Pax({}), { path });
  else if (isPax) known.next = Pax.parse(text, known.next);
  else if (type === 'GlobalExtendedHeader') known.all = Pax.parse(text, known.all, true);
  return true;
}

/** The content of an entry. It can be read once. */
async function* contentOf({ some }: Reader, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const part = await some(left);
    if (part === null) throw refused('it is damaged (it ends in the middle of a file)');
    left -= part.length;
    yield part;
  }
}

async function skipTo({ some, taken }: Reader, end: number): Promise<void> {
  while (taken() < end) {
    if ((await some(end - taken())) === null) return;
  }
}

/** The entries of a tar stream. The caller must limit the size of the stream and the number of entries. */
export async function* readTar(tar: Readable, { files }: Pick<ArchiveLimits, 'files'>): AsyncGenerator<ArchiveEntry> {
  const from = reader(tar);
  const known: Extensions = { next: undefined, all: undefined };
  let contents = 0;
  try {
    for (let block = await from.exactly(BLOCK); block !== null; block = await from.exactly(BLOCK)) {
      if (isZero(block)) return await readPadding(from);
      if (from.taken() - contents > files * OVERHEAD_OF_FILE) throw refused('its headers are too long');
      const header = new Header(block, 0, known.next, known.all);
      if (!header.cksumValid) throw refused('it is damaged (a header has a wrong checksum)');
      const { size = 0 } = header;
      // Reading half a byte would never end.
      if (!Number.isSafeInteger(size)) throw refused('it is damaged (a size is not a whole number)');
      const start = from.taken();
      const end = start + Math.ceil(size / BLOCK) * BLOCK;
      const isEntry = !(await readExtension(from, header, known));
      if (isEntry) {
        const path = known.next?.path ?? header.path ?? '';
        known.next = undefined;
        yield { path, kind: kindOf(header), size, sum: null, content: () => contentOf(from, size) };
      }
      await skipTo(from, end);
      if (isEntry) contents += from.taken() - start;
    }
  } finally {
    tar.destroy();
  }
}
