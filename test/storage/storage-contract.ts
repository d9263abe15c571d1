import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { PNG } from 'pngjs';
import { imageName, suitePrefix } from '../../src/storage/object-name.ts';
import { readImageSize } from '../../src/storage/read-image-size.ts';
import type { ByteRange, Storage } from '../../src/storage/storage.ts';
import { sha256Of } from '../../src/text/sha256.ts';

const nameOf = (bytes: Buffer, suiteId: string = randomUUID()) => imageName(suiteId, sha256Of(bytes));

const BAD_NAMES = ['', '/etc/passwd', '../up', 'suites/../../up', 'suites\\up', 'suites/a\0b', '.parts/x', 'suites/'];
const BAD_PREFIXES = ['', '/', 'suites', '../', 'suites/../', '/suites/', 'suites//'];

async function read(storage: Storage, name: string, range?: ByteRange): Promise<Buffer> {
  return buffer(await storage.stream(name, range));
}

function keepsObjects(open: () => Storage): void {
  it('gives back what was put, and its size', async () => {
    const bytes = randomBytes(100_000);
    const name = nameOf(bytes);
    await open().put(name, bytes);
    expect((await open().get(name))?.equals(bytes)).toBe(true);
    expect(await open().stat(name)).toEqual({ size: 100_000 });
    expect((await read(open(), name)).equals(bytes)).toBe(true);
  });

  it('keeps an object of no bytes', async () => {
    const name = nameOf(Buffer.alloc(0));
    await open().put(name, Buffer.alloc(0));
    expect(await open().get(name)).toEqual(Buffer.alloc(0));
    expect(await open().stat(name)).toEqual({ size: 0 });
    expect(await read(open(), name)).toEqual(Buffer.alloc(0));
  });

  it('keeps an object of 30 MB', async () => {
    const bytes = randomBytes(30_000_000);
    const name = nameOf(bytes);
    await open().put(name, bytes);
    expect((await open().get(name))?.equals(bytes)).toBe(true);
    expect((await read(open(), name)).equals(bytes)).toBe(true);
    const tail = await read(open(), name, { start: 29_999_990, end: 29_999_999 });
    expect(tail).toEqual(bytes.subarray(29_999_990));
  });

  it('has null for an object that is not there, and no stream', async () => {
    const name = nameOf(randomBytes(8));
    expect(await open().get(name)).toBeNull();
    expect(await open().stat(name)).toBeNull();
    await expect(open().stream(name)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(open().stream(name, { start: 0, end: 1 })).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('does not take a prefix for an object, nor an object for a prefix', async () => {
    const bytes = randomBytes(8);
    const suiteId = randomUUID();
    const name = nameOf(bytes, suiteId);
    await open().put(name, bytes);
    for (const other of [`suites/${suiteId}`, `${name}/more`]) {
      expect(await open().get(other)).toBeNull();
      expect(await open().stat(other)).toBeNull();
      await expect(open().stream(other)).rejects.toMatchObject({ kind: 'not_found' });
    }
  });
}

function readsRanges(open: () => Storage): void {
  const bytes = Buffer.from('0123456789');
  const name = nameOf(bytes);

  it.each([
    [{ start: 0, end: 1 }, '01'],
    [{ start: 3, end: 6 }, '3456'],
    [{ start: 9, end: 9 }, '9'],
    [{ start: 0, end: 9 }, '0123456789'],
    [{ start: 7, end: 1000 }, '789'],
  ])('streams the bytes %j, both ends included', async (range, expected) => {
    await open().put(name, bytes);
    expect((await read(open(), name, range)).toString()).toBe(expected);
  });

  it.each([
    { start: 10, end: 12 },
    { start: 5, end: 4 },
    { start: -1, end: 4 },
    { start: 0.5, end: 4 },
  ])('refuses the range %j, which the object does not have', async (range) => {
    await open().put(name, bytes);
    await expect(open().stream(name, range)).rejects.toThrow('The object of 10 bytes has no bytes');
  });
}

function readsImageSizes(open: () => Storage): void {
  const png = PNG.sync.write(new PNG({ width: 375, height: 260 }));
  const damaged = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(png);
    change(bytes);
    return bytes;
  };
  const sizeOf = async (bytes: Buffer) => {
    const name = nameOf(bytes);
    await open().put(name, bytes);
    return readImageSize(open(), name);
  };

  it('tells the size of an image by its first bytes', async () => {
    expect(await sizeOf(png)).toEqual({ width: 375, height: 260 });
    expect(await sizeOf(png.subarray(0, 24))).toEqual({ width: 375, height: 260 });
  });

  it.each([
    ['an empty object', Buffer.alloc(0)],
    ['fewer bytes than a header has', png.subarray(0, 23)],
    ['a text', Buffer.from('<html>this is not an image at all</html>')],
    ['a signature with something else behind it', damaged((bytes) => bytes.write('IDAT', 12))],
    ['an image without a row', damaged((bytes) => bytes.writeUInt32BE(0, 20))],
  ])('knows no size of %s', async (_, bytes) => {
    expect(await sizeOf(bytes)).toBeNull();
  });

  it('knows no size of an image that is not there, or goes away meanwhile', async () => {
    expect(await readImageSize(open(), nameOf(randomBytes(8)))).toBeNull();
    const goesAway: Storage = { ...open(), stat: async () => ({ size: 1000 }) };
    expect(await readImageSize(goesAway, nameOf(randomBytes(8)))).toBeNull();
  });
}

function writesAtomically(open: () => Storage): void {
  it('takes the same object twice', async () => {
    const bytes = randomBytes(5000);
    const name = nameOf(bytes);
    await open().put(name, bytes);
    await open().put(name, bytes);
    expect(await open().get(name)).toEqual(bytes);
  });

  it('never changes an object that is there', async () => {
    const bytes = randomBytes(5000);
    const name = nameOf(bytes);
    await open().put(name, bytes);
    await open().put(name, randomBytes(10));
    expect(await open().get(name)).toEqual(bytes);
  });

  it('takes one object from many at once', async () => {
    const bytes = randomBytes(200_000);
    const name = nameOf(bytes);
    await Promise.all(Array.from({ length: 20 }, () => open().put(name, bytes)));
    expect((await open().get(name))?.equals(bytes)).toBe(true);
  });
}

function removesSuites(open: () => Storage, fill: Fill): void {
  it('removes more than a thousand objects of one suite and no other', async () => {
    const [suiteId, otherId] = [randomUUID(), randomUUID()];
    const other = nameOf(Buffer.from('other'), otherId);
    await open().put(other, Buffer.from('other'));
    const names = Array.from({ length: 1050 }, (_, at) => nameOf(Buffer.from(String(at)), suiteId));
    await fill(open(), names);
    expect(await listNames(open(), suitePrefix(suiteId))).toEqual(names.toSorted());
    await open().removeAll(suitePrefix(suiteId));
    // A store that lists 1,000 objects at a time continues with the next one in order.
    const sample = names.sort().filter((_, at) => at % 100 === 0 || at > 990);
    const left = await Promise.all(sample.map((name) => open().stat(name)));
    expect(left.filter((found) => found !== null)).toEqual([]);
    expect(await open().stat(other)).toEqual({ size: 5 });
  }, 60_000);

  it('does not take a prefix for part of a longer name', async () => {
    await open().put('suites/ab/x.png', Buffer.from('x'));
    await open().put('suites/abc/x.png', Buffer.from('x'));
    await open().removeAll('suites/ab/');
    expect(await open().stat('suites/ab/x.png')).toBeNull();
    expect(await open().stat('suites/abc/x.png')).toEqual({ size: 1 });
  });

  it('has nothing to remove where nothing was put', async () => {
    await expect(open().removeAll(suitePrefix(randomUUID()))).resolves.toBeUndefined();
  });

  it('removes one object, unless it was stored after a time', async () => {
    const [name, other] = ['suites/older/x.png', 'suites/older/x.png.y.png'];
    for (const each of [name, other]) await open().put(each, Buffer.from('x'));
    const [before, after] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];
    expect(await open().removeOlder(name, before)).toBe(false);
    expect(await open().get(name)).toEqual(Buffer.from('x'));
    expect(await open().removeOlder(name, after)).toBe(true);
    expect(await open().removeOlder(name, after)).toBe(false);
    expect(await listNames(open(), 'suites/older/')).toEqual([other]);
  });

  it('takes an object again that was removed', async () => {
    await open().put('suites/again/x.png', Buffer.from('1'));
    await open().removeAll('suites/again/');
    await open().put('suites/again/x.png', Buffer.from('2'));
    expect(await open().get('suites/again/x.png')).toEqual(Buffer.from('2'));
  });
}

async function listNames(storage: Storage, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of storage.list(prefix)) names.push(name);
  return names.toSorted();
}

function listsObjects(open: () => Storage): void {
  it('lists every object below a prefix, also in folders, and when it was stored', async () => {
    const [suiteId, otherId] = [randomUUID(), randomUUID()];
    const names = ['x.png', 'x.w320.webp', 'builds/one/files.json'].map((name) => suitePrefix(suiteId) + name);
    for (const name of [...names, `${suitePrefix(otherId)}x.png`]) await open().put(name, Buffer.from('x'));
    expect(await listNames(open(), suitePrefix(suiteId))).toEqual(names.toSorted());
    expect(await listNames(open(), `${suitePrefix(suiteId)}builds/`)).toEqual([names[2]]);
    expect(await listNames(open(), 'suites/')).toEqual(expect.arrayContaining(names));
    expect(await listNames(open(), suitePrefix(randomUUID()))).toEqual([]);
    for await (const { storedAt } of open().list(suitePrefix(suiteId))) {
      expect(Math.abs((storedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(600_000);
    }
  });

  it.each(BAD_PREFIXES)('refuses to list everything below %j', (prefix) => {
    expect(() => open().list(prefix)).toThrow('Not a prefix of stored objects');
  });
}

function refusesBadNames(open: () => Storage): void {
  it.each(BAD_NAMES)('refuses the name %j', async (name) => {
    const message = 'Not the name of a stored object';
    await expect(open().put(name, Buffer.from('x'))).rejects.toThrow(message);
    await expect(open().get(name)).rejects.toThrow(message);
    await expect(open().stat(name)).rejects.toThrow(message);
    await expect(open().stream(name)).rejects.toThrow(message);
    await expect(open().removeOlder(name, new Date())).rejects.toThrow(message);
  });

  it.each(BAD_PREFIXES)('refuses to remove everything below %j', async (prefix) => {
    await expect(open().removeAll(prefix)).rejects.toThrow('Not a prefix of stored objects');
  });
}

/** What every store must do. `open` returns the store under test once its `beforeAll` has run. */
/** Stores an object of each name, whatever is in it. */
type Fill = (storage: Storage, names: string[]) => Promise<void>;

const putEach: Fill = async (storage, names) => {
  for (let from = 0; from < names.length; from += 50) {
    await Promise.all(names.slice(from, from + 50).map((name) => storage.put(name, Buffer.from('x'))));
  }
};

/** @param fill a faster way than through the store */
export function itKeepsTheContract(open: () => Storage, fill = putEach): void {
  keepsObjects(open);
  readsRanges(open);
  readsImageSizes(open);
  writesAtomically(open);
  listsObjects(open);
  removesSuites(open, fill);
  refusesBadNames(open);
  it('says that it can be used', async () => {
    await expect(open().check()).resolves.toBeUndefined();
  });
}
