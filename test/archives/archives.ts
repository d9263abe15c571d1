import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { Header } from 'tar';

type TarEntry = {
  path: string;
  content?: string | Buffer;
  type?:
    | 'File'
    | 'Directory'
    | 'SymbolicLink'
    | 'Link'
    | 'CharacterDevice'
    | 'SparseFile'
    | 'ExtendedHeader'
    | 'NextFileHasLongPath';
  linkpath?: string;
  /** What the header says, if it lies. */
  size?: number;
};

/** A tar, written header by header, so that it can be a bad one. */
export function tarOf(entries: TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path: name, content = '', type = 'File', linkpath, size }) => {
    const body = Buffer.from(content);
    const header = new Header({
      path: name,
      type,
      mode: 0o644,
      size: size ?? body.length,
      ...(linkpath === undefined ? {} : { linkpath }),
    });
    const block = Buffer.alloc(512);
    header.encode(block, 0);
    return [block, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export const tarGzOf = (entries: TarEntry[]) => gzipSync(tarOf(entries));

type ZipEntry = {
  path: string;
  content?: string | Buffer;
  mode?: number;
  size?: number;
  flags?: number;
  sum?: number;
  /** What the header before the content has instead, if it lies. */
  local?: { path?: string; size?: number; method?: number; extra?: Buffer };
  /** Sizes and checksum follow the content, as where a zip is written without looking back. */
  follows?: boolean;
  /** Has no content of its own: it points to that of the entry with this number. */
  sameAs?: number;
};

const SIZES_FOLLOW = 0x8;

/** A zip, written record by record, so that it can be a bad one. */
export function zipOf(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let end = 0;
  for (const entry of entries) {
    const { path: name, content = '', mode = 0o100644, size, flags = 0, sum, local = {}, follows, sameAs } = entry;
    const body = Buffer.from(content);
    const packed = deflateRawSync(body, { level: 9 });
    const nameBytes = Buffer.from(name);
    const header = (method: number, unpacked: number, length: number, isBefore: boolean) => {
      const shared = Buffer.alloc(26);
      shared.writeUInt16LE(20, 0);
      shared.writeUInt16LE(flags | 0x800 | (follows ? SIZES_FOLLOW : 0), 2);
      shared.writeUInt16LE(method, 4);
      shared.writeUInt16LE(length, 22);
      if (isBefore && follows) return shared;
      shared.writeUInt32LE(sum ?? crc32(body), 10);
      shared.writeUInt32LE(packed.length, 14);
      shared.writeUInt32LE(unpacked, 18);
      return shared;
    };
    const unpacked = size ?? body.length;
    const offset = sameAs === undefined ? end : (offsets[sameAs] ?? 0);
    offsets.push(offset);
    if (sameAs === undefined) {
      const localName = Buffer.from(local.path ?? name);
      const before = header(local.method ?? 8, local.size ?? unpacked, localName.length, true);
      const extra = local.extra ?? Buffer.alloc(0);
      before.writeUInt16LE(extra.length, 24);
      const descriptor = Buffer.alloc(follows ? 16 : 0);
      if (follows) {
        descriptor.write('PK\u0007\u0008', 'latin1');
        descriptor.writeUInt32LE(crc32(body), 4);
        descriptor.writeUInt32LE(packed.length, 8);
        descriptor.writeUInt32LE(unpacked, 12);
      }
      const part = [Buffer.from('PK\u0003\u0004', 'latin1'), before, localName, extra, packed, descriptor];
      parts.push(...part);
      end += Buffer.concat(part).length;
    }
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const shared = header(8, unpacked, nameBytes.length, false);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), shared, tail, nameBytes]));
  }
  const central = Buffer.concat(directory);
  const last = Buffer.alloc(22);
  last.write('PK\u0005\u0006', 'latin1');
  last.writeUInt16LE(entries.length, 8);
  last.writeUInt16LE(entries.length, 10);
  last.writeUInt32LE(central.length, 12);
  last.writeUInt32LE(end, 16);
  return Buffer.concat([...parts, central, last]);
}

/** Opens a new file with these bytes, which is gone when it is closed. */
export async function openArchive(bytes: Buffer): Promise<FileHandle> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'archive-test-')), 'archive');
  await writeFile(file, bytes);
  const handle = await open(file, 'r');
  await rm(path.dirname(file), { recursive: true });
  return handle;
}
