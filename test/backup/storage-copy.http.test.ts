import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runBackup } from '../../src/backup.ts';
import { createDiskStorage } from '../../src/storage/disk-storage.ts';
import { elementsName, imageName, thumbnailName } from '../../src/storage/object-name.ts';
import { createS3Storage } from '../../src/storage/s3-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { sha256Of } from '../../src/text/sha256.ts';
import { BUCKET, startS3Server } from '../storage/s3-server.ts';

const SUITE = '11111111-1111-4111-8111-111111111111';
const bytes = (text: string) => Buffer.from(`not a PNG, but named after its bytes: ${text}`);
const nameOf = (text: string) => imageName(SUITE, sha256Of(bytes(text)));

let directory: string;
let server: Awaited<ReturnType<typeof startS3Server>>;
let s3: Storage;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-copy-'));
  server = await startS3Server();
  const options = {
    bucket: BUCKET,
    endpoint: server.endpoint,
    region: 'us-east-1',
    prefix: 'shots',
    forcePathStyle: true,
  };
  s3 = createS3Storage(options);
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

async function copy(from: string, to: string, dataDir: string) {
  const said: string[] = [];
  const printed: string[] = [];
  const env = {
    DATA_DIR: dataDir,
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: server.endpoint,
    S3_PREFIX: 'shots',
    S3_FORCE_PATH_STYLE: 'true',
  };
  const terminal = {
    say: (text: string) => void said.push(text),
    print: (text: string) => void printed.push(text),
    env,
  };
  return { code: await runBackup(['storage', 'copy', from, to], terminal), said, printed };
}

it('copies from disk to S3 what it lacks, and back to another disk', async () => {
  const disk = createDiskStorage(path.join(directory, 'one', 'files'));
  for (const text of ['a', 'b']) await disk.put(nameOf(text), bytes(text));
  await disk.put(elementsName(SUITE, sha256Of(bytes('map'))), bytes('map'));
  await disk.put(thumbnailName(nameOf('a'), 320), bytes('small'));
  const first = await copy('disk', 's3', path.join(directory, 'one'));
  expect(first).toEqual({ code: 0, said: ['Copied 3 objects: s3 has 3 objects now'], printed: [] });
  expect(await s3.get(nameOf('a'))).toEqual(bytes('a'));

  // The service goes on.
  await disk.put(nameOf('c'), bytes('c'));
  const second = await copy('disk', 's3', path.join(directory, 'one'));
  expect(second.said).toEqual(['Copied 1 object: s3 has 4 objects now']);

  const back = await copy('s3', 'disk', path.join(directory, 'two'));
  expect(back).toEqual({ code: 0, said: ['Copied 4 objects: disk has 4 objects now'], printed: [] });
  const other = createDiskStorage(path.join(directory, 'two', 'files'));
  for (const text of ['a', 'b', 'c']) expect(await other.get(nameOf(text))).toEqual(bytes(text));
});

it('names what is damaged, and copies all else', async () => {
  const disk = createDiskStorage(path.join(directory, 'three', 'files'));
  const name = imageName(SUITE, 'f'.repeat(64));
  await disk.put(name, bytes('something else'));
  await disk.put(nameOf('d'), bytes('d'));
  const copied = await copy('disk', 's3', path.join(directory, 'three'));
  expect(copied).toMatchObject({ code: 1, printed: [expect.stringMatching(`^${name}: damaged`)] });
  expect([await s3.stat(name), await s3.get(nameOf('d'))]).toEqual([null, bytes('d')]);
});
