import { crc32 } from 'node:zlib';

/** One part of a PNG, with its length, name and checksum. The data is not copied. */
export function chunk(name: string, data: Buffer[]): Buffer[] {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const named = [Buffer.from(name, 'latin1'), ...data];
  length.writeUInt32BE(data.reduce((bytes, part) => bytes + part.length, 0));
  sum.writeUInt32BE(named.reduce((crc, part) => crc32(part, crc), 0));
  return [length, ...named, sum];
}
