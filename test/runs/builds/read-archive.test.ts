import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ARCHIVE_LIMITS } from '../../../src/runs/builds/build.ts';
import { readArchive } from '../../../src/runs/builds/read-archive.ts';
import { fileOf, tarGzOf, tarOf, zipOf } from './archives.ts';

const SMALL = { archive: 100_000, unpacked: 2000, file: 1000, files: 3 };

async function contentsOf(archive: Buffer, limits = ARCHIVE_LIMITS): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for await (const { path, bytes } of readArchive(await fileOf(archive), limits)) contents[path] = bytes.toString();
  return contents;
}

const SITE = [
  { path: './index.html', content: '<h1>Home</h1>' },
  { path: 'docs/', type: 'Directory' as const },
  { path: 'docs/größe.html', content: 'x'.repeat(900) },
];

describe('an archive', () => {
  it('gives its files, of a .tar.gz and of a .zip', async () => {
    const expected = { 'index.html': '<h1>Home</h1>', 'docs/größe.html': 'x'.repeat(900) };
    expect(await contentsOf(tarGzOf(SITE))).toEqual(expected);
    expect(await contentsOf(zipOf(SITE))).toEqual(expected);
  });

  const link = { path: 'link', type: 'SymbolicLink' as const, linkpath: '/etc/passwd' };
  it.each([
    ['no archive', Buffer.from('<h1>'), /neither a .tar.gz nor a .zip/],
    ['a plain tar', tarOf(SITE), /neither a .tar.gz nor a .zip/],
    ['gzip of something else', gzipSync('x'.repeat(5000)), /damaged/],
    ['half a .tar.gz', tarGzOf(SITE).subarray(0, 150), /damaged/],
    ['half a .zip', zipOf(SITE).subarray(0, 60), /damaged/],
    ['a path that leads out', tarGzOf([{ path: '../out.html' }]), /not a path inside/],
    ['a path that leads out further down', tarGzOf([{ path: 'a/../../out.html' }]), /not a path inside/],
    ['an absolute path', tarGzOf([{ path: '/etc/cron.d/x' }]), /not a path inside/],
    ['a path that leads out, in a .zip', zipOf([{ path: '../out.html' }]), /rejected/],
    ['backslashes, in a .zip', zipOf([{ path: '..\\out.html' }]), /rejected/],
    ['a symbolic link', tarGzOf([link]), /link or a device/],
    ['a hard link', tarGzOf([{ ...link, type: 'Link' }]), /link or a device/],
    ['a device', tarGzOf([{ path: 'null', type: 'CharacterDevice' }]), /link or a device/],
    ['a link in a .zip', zipOf([{ path: 'link', content: '/etc/passwd', mode: 0o120777 }]), /link or a device/],
    ['a sparse file', tarGzOf([{ path: 'a.html' }, { path: 'b.html', type: 'SparseFile' }]), /cannot be read/],
    [
      'a header that is too long to be read',
      tarGzOf([{ path: 'pax', type: 'ExtendedHeader', content: 'x'.repeat(2 ** 21) }, { path: 'a.html' }]),
      /cannot be read/,
    ],
    ['a wrong checksum, in a .zip', zipOf([{ path: 'a.html', content: 'x', sum: 7 }]), /checksum/],
    ['an encrypted file', zipOf([{ path: 'a.html', flags: 1 }]), /encrypted/],
    ['the same path twice', tarGzOf([{ path: 'a.html' }, { path: './a.html' }]), /twice/],
    ['a lie about a size, in a .zip', zipOf([{ path: 'a.html', content: 'x'.repeat(500), size: 5 }]), /damaged/],
  ])('that is %s is refused', async (_what, archive, why) => {
    await expect(contentsOf(archive)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(why),
    });
  });

  it.each([
    ['file', [{ path: 'a', content: 'x'.repeat(1001) }], /"a" is larger than 1000 bytes/],
    ['sum', ['a', 'b', 'c'].map((path) => ({ path, content: 'x'.repeat(900) })), /unpacks to more than 2000/],
    ['number of files', ['a', 'b', 'c', 'd'].map((path) => ({ path })), /more than 3 files/],
  ])('over the limit of the %s is refused', async (_what, entries, why) => {
    await expect(contentsOf(tarGzOf(entries), SMALL)).rejects.toThrow(why);
    await expect(contentsOf(zipOf(entries), SMALL)).rejects.toThrow(why);
  });

  it('that is a bomb is refused long before it is unpacked', async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const bomb = tarGzOf([{ path: 'a', content: zeros }]);
    expect(bomb.length).toBeLessThan(SMALL.archive);
    await expect(contentsOf(bomb, SMALL)).rejects.toThrow(/unpacks to more than 2000/);
    await expect(contentsOf(gzipSync(zeros), SMALL)).rejects.toThrow(/rejected/);
    await expect(contentsOf(zipOf([{ path: 'a', content: zeros }]), SMALL)).rejects.toThrow(/larger than 1000/);
    await expect(contentsOf(zipOf([{ path: 'a', content: zeros, size: 10 }]), SMALL)).rejects.toThrow(/rejected/);
  });
});
