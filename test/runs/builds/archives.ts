import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { Header } from 'tar';

type TarEntry = {
  path: string;
  content?: string | Buffer;
  type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'SparseFile' | 'ExtendedHeader';
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

type ZipEntry = { path: string; content?: string | Buffer; mode?: number; size?: number; flags?: number; sum?: number };

/** A zip, written record by record, so that it can be a bad one. */
export function zipOf(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path: name, content = '', mode = 0o100644, size, flags = 0, sum } of entries) {
    const body = Buffer.from(content);
    const packed = deflateRawSync(body);
    const nameBytes = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags | 0x800, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(sum ?? crc32(body), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(size ?? body.length, 18);
    shared.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), shared, nameBytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), shared, tail, nameBytes]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

/** The path of a new file with these bytes. */
export async function fileOf(bytes: Buffer): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'pixelgate-archive-')), 'archive');
  await writeFile(file, bytes);
  return file;
}
