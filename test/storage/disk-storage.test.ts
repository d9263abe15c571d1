import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStorage } from '../../src/storage/create-storage.ts';
import { createDiskStorage } from '../../src/storage/disk-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { itKeepsTheContract } from './storage-contract.ts';

const NAME = 'suites/one/image.png';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-disk-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('createDiskStorage', () => {
  let storage: Storage;

  beforeAll(() => {
    storage = createDiskStorage(path.join(directory, 'contract'));
  });

  itKeepsTheContract(() => storage);

  it('makes its directory and finds everything again', async () => {
    const root = path.join(directory, 'not/yet/there');
    await createDiskStorage(root).put(NAME, Buffer.from('kept'));
    expect(await createDiskStorage(root).get(NAME)).toEqual(Buffer.from('kept'));
  });

  it('has nothing, and fails at nothing, before its directory is made', async () => {
    const empty = createDiskStorage(path.join(directory, 'never-made'));
    expect(await empty.get(NAME)).toBeNull();
    await expect(empty.removeAll('suites/one/')).resolves.toBeUndefined();
  });

  // S3 guarantees this itself, but the server that replaces it in the tests does not.
  it('shows the whole object or none while it is being written', async () => {
    const bytes = randomBytes(20_000_000);
    const state = { written: false };
    const seen: number[] = [];
    const writing = storage.put('suites/large/x.png', bytes).finally(() => {
      state.written = true;
    });
    while (!state.written) seen.push((await storage.get('suites/large/x.png'))?.length ?? 0);
    await writing;
    expect(seen.filter((length) => length !== 0 && length !== bytes.length)).toEqual([]);
    expect((await storage.get('suites/large/x.png'))?.equals(bytes)).toBe(true);
  });

  it('counts an object as stored now when it is put once more after a long time', async () => {
    const [name, bytes] = ['suites/renewed/x.png', Buffer.from('x')];
    const root = path.join(directory, 'contract');
    await storage.put(name, bytes);
    const lastYear = new Date(Date.now() - 365 * 86_400_000);
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(path.join(root, name), lastYear, lastYear);
    await storage.put(name, bytes);
    expect(await storage.removeOlder(name, yesterday)).toBe(false);
    await utimes(path.join(root, name), lastYear, lastYear);
    expect(await storage.removeOlder(name, yesterday)).toBe(true);
    expect(await readdir(path.join(root, '.parts'))).toEqual([]);
  });

  it('stores an object anew that a disk has cut off', async () => {
    const [name, bytes] = ['suites/cut/x.png', Buffer.from('whole')];
    await storage.put(name, bytes);
    await truncate(path.join(directory, 'contract', name), 2);
    await storage.put(name, bytes);
    expect(await storage.get(name)).toEqual(bytes);
  });

  it('keeps an object that is put while it is removed for its age', async () => {
    const [name, bytes] = ['suites/raced/x.png', Buffer.from('x')];
    const file = path.join(directory, 'contract', name);
    const lastYear = new Date(Date.now() - 365 * 86_400_000);
    for (let round = 0; round < 50; round += 1) {
      await storage.put(name, bytes);
      await utimes(file, lastYear, lastYear);
      const yesterday = new Date(Date.now() - 86_400_000);
      await Promise.all([storage.put(name, bytes), storage.removeOlder(name, yesterday)]);
      expect(await storage.get(name)).toEqual(bytes);
    }
  });

  it('stores objects below a prefix that is removed meanwhile', async () => {
    const names = Array.from({ length: 400 }, (_, at) => `going/of/${at % 20}/${at}.png`);
    const under = { way: names.length };
    const put = async (name: string) => storage.put(name, Buffer.from(name)).finally(() => (under.way -= 1));
    const puts = names.map(put);
    while (under.way > 0) await Promise.race([Promise.all(puts), storage.removeAll('going/')]);
    await expect(Promise.all(puts)).resolves.toHaveLength(names.length);
  });

  it('streams the first byte alone', async () => {
    await storage.put('suites/first/x.png', Buffer.from('0123'));
    expect(await text(await storage.stream('suites/first/x.png', { start: 0, end: 0 }))).toBe('0');
  });

  it('leaves no temporary file behind', async () => {
    const root = path.join(directory, 'tidy');
    const tidy = createDiskStorage(root);
    await Promise.all([tidy.put(NAME, Buffer.from('x')), tidy.put(NAME, Buffer.from('x')), tidy.check()]);
    expect(await readdir(path.join(root, '.parts'))).toEqual([]);
  });

  it('removes what a killed process left behind, but not what another is writing now', async () => {
    const root = path.join(directory, 'swept');
    const parts = path.join(root, '.parts');
    await mkdir(parts, { recursive: true });
    await writeFile(path.join(parts, 'abandoned'), 'half a pic');
    await writeFile(path.join(parts, 'live'), 'half a pic');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(path.join(parts, 'abandoned'), longAgo, longAgo);
    await createDiskStorage(root).check();
    expect(await readdir(parts)).toEqual(['live']);
  });
});

describe('A disk that can not be used', () => {
  it('is unavailable, and says no path', async () => {
    const root = path.join(directory, 'a-file');
    await writeFile(root, 'not a directory');
    const broken = createDiskStorage(root);
    const failure = {
      kind: 'unavailable',
      details: { code: 'storage_unavailable' },
      message: expect.not.stringContaining('/'),
      cause: expect.objectContaining({ code: expect.any(String) }),
    };
    await expect(broken.put(NAME, Buffer.from('x'))).rejects.toMatchObject(failure);
    await expect(broken.check()).rejects.toMatchObject(failure);
  });

  it('leaves no temporary file where the object can not be put in its place', async () => {
    const root = path.join(directory, 'blocked');
    await mkdir(root);
    await writeFile(path.join(root, 'suites'), 'a file where a directory must be');
    const blocked = createDiskStorage(root);
    await expect(blocked.put(NAME, Buffer.from('x'))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await readdir(path.join(root, '.parts'))).toEqual([]);
  });
});

describe('createStorage', () => {
  it('keeps files under the data directory where no bucket is configured', async () => {
    const storage = await createStorage({ s3: null, dataDir: directory });
    await storage.put(NAME, Buffer.from('x'));
    expect(await readdir(path.join(directory, 'files/suites/one'))).toEqual(['image.png']);
  });
});
