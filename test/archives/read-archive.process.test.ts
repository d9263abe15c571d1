import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ARCHIVE_LIMITS } from '../../src/archives/archive.ts';
import { openArchiveReader, READ_HERE } from '../../src/archives/read-apart.ts';
import { openArchive, tarGzOf, tarOf, zipOf } from './archives.ts';

const SMALL = { ...ARCHIVE_LIMITS, archive: 100_000, unpacked: 2000, file: 1000, files: 3 };
const MIB = 1024 * 1024;
const zeros = (bytes: number) => Buffer.alloc(bytes);

const apart = openArchiveReader(pathToFileURL(path.resolve('dist/archives/archive-thread.js')));
afterAll(() => apart.close());

async function contentsOf(archive: Buffer, limits = ARCHIVE_LIMITS, reader = READ_HERE) {
  const contents: Record<string, string> = {};
  const handle = await openArchive(archive);
  try {
    for await (const { path, bytes } of reader.read(handle.fd, limits, new AbortController().signal)) {
      contents[path] = Buffer.from(bytes).toString();
    }
    return contents;
  } finally {
    await handle.close();
  }
}

const SITE = [
  { path: './index.html', content: '<h1>Home</h1>' },
  { path: 'docs/', type: 'Directory' as const },
  { path: 'docs/größe.html', content: 'x'.repeat(900) },
];
const CONTENTS = { 'index.html': '<h1>Home</h1>', 'docs/größe.html': 'x'.repeat(900) };

describe.each([
  ['here', READ_HERE],
  ['in another thread', apart],
])('an archive that is read %s', (_where, reader) => {
  it('gives its files, of a .tar.gz and of a .zip', async () => {
    expect(await contentsOf(tarGzOf(SITE), ARCHIVE_LIMITS, reader)).toEqual(CONTENTS);
    expect(await contentsOf(zipOf(SITE), ARCHIVE_LIMITS, reader)).toEqual(CONTENTS);
    const fromWindows = SITE.map((file) => ({ ...file, path: file.path.replaceAll('/', '\\') }));
    expect(await contentsOf(zipOf(fromWindows), ARCHIVE_LIMITS, reader)).toEqual(CONTENTS);
  });

  it('is listed by path', async () => {
    const handle = await openArchive(zipOf(SITE));
    const { list, files, bytes } = await reader.list(handle.fd, ARCHIVE_LIMITS, new AbortController().signal);
    expect(JSON.parse(list).map((file: { path: string }) => file.path)).toEqual(['docs/größe.html', 'index.html']);
    expect([files, bytes]).toEqual([2, 913]);
    await handle.close();
  });

  it('that is bad is refused in the same words', async () => {
    await expect(contentsOf(tarGzOf([{ path: '../out.html' }]), ARCHIVE_LIMITS, reader)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: 'The archive was rejected: "../out.html" is not a path inside the directory',
      details: { code: 'archive_refused' },
    });
  });

  it('is read no further when nobody waits for it', async () => {
    const handle = await openArchive(tarGzOf(Array.from({ length: 50 }, (_, at) => ({ path: `${at}.html` }))));
    const controller = new AbortController();
    const seen: string[] = [];
    const reading = async () => {
      for await (const { path } of reader.read(handle.fd, ARCHIVE_LIMITS, controller.signal)) {
        seen.push(path);
        if (seen.length === 3) controller.abort(new Error('The client has left'));
      }
    };
    await expect(reading()).rejects.toThrow('The client has left');
    expect(seen).toHaveLength(3);
    await expect(reader.list(handle.fd, ARCHIVE_LIMITS, controller.signal)).rejects.toThrow('The client has left');
    await handle.close();
  });
});

describe('an archive', () => {
  const link = { path: 'link', type: 'SymbolicLink' as const, linkpath: '/etc/passwd' };
  it.each([
    ['no archive', Buffer.from('<h1>'), /neither a .tar.gz nor a .zip/],
    ['a plain tar', tarOf(SITE), /neither a .tar.gz nor a .zip/],
    ['gzip of something else', gzipSync('x'.repeat(5000)), /damaged/],
    ['gzip of a .tar.gz', gzipSync(tarGzOf(SITE)), /damaged/],
    ['half a .tar.gz', tarGzOf(SITE).subarray(0, 150), /damaged/],
    ['a tar that ends in a file', gzipSync(tarOf(SITE).subarray(0, 517)), /damaged/],
    ['a tar that ends in a header', gzipSync(tarOf(SITE).subarray(0, 1100)), /damaged/],
    ['half a .zip', zipOf(SITE).subarray(0, 60), /damaged/],
    ['a path that leads out', tarGzOf([{ path: '../out.html' }]), /not a path inside/],
    ['a path that leads out further down', tarGzOf([{ path: 'a/../../out.html' }]), /not a path inside/],
    ['an absolute path', tarGzOf([{ path: '/etc/cron.d/x' }]), /not a path inside/],
    ['a path that leads out, in a .zip', zipOf([{ path: '../out.html' }]), /rejected/],
    ['backslashes that lead out, in a .zip', zipOf([{ path: '..\\out.html' }]), /rejected/],
    ['a symbolic link', tarGzOf([link]), /link or a device/],
    ['a hard link', tarGzOf([{ ...link, type: 'Link' }]), /link or a device/],
    ['a device', tarGzOf([{ path: 'null', type: 'CharacterDevice' }]), /link or a device/],
    ['a link in a .zip', zipOf([{ path: 'link', content: '/etc/passwd', mode: 0o120777 }]), /link or a device/],
    ['a sparse file', tarGzOf([{ path: 'a.html' }, { path: 'b.html', type: 'SparseFile' }]), /link or a device/],
    [
      'a sparse file, as POSIX has it',
      tarGzOf([{ path: 'pax', type: 'ExtendedHeader', content: '22 GNU.sparse.major=1\n' }, { path: 'a.html' }]),
      /sparse/,
    ],
    [
      'a header that is too long to be read',
      tarGzOf([{ path: 'pax', type: 'ExtendedHeader', content: 'x'.repeat(2 ** 21) }, { path: 'a.html' }]),
      /cannot be read/,
    ],
    [
      'half a byte',
      tarGzOf([
        { path: 'pax', type: 'ExtendedHeader', content: '12 size=0.5\n' },
        { path: 'a.html', content: 'x' },
      ]),
      /damaged/,
    ],
    ['a wrong checksum, in a .zip', zipOf([{ path: 'a.html', content: 'x', sum: 7 }]), /checksum/],
    ['an encrypted file', zipOf([{ path: 'a.html', flags: 1 }]), /encrypted/],
    ['the same path twice', tarGzOf([{ path: 'a.html' }, { path: './a.html' }]), /twice/],
    ['a lie about a size, in a .zip', zipOf([{ path: 'a.html', content: 'x'.repeat(500), size: 5 }]), /damaged/],
    ['another name before the content', zipOf([{ path: 'a.html', local: { path: 'b.html' } }]), /headers that differ/],
    ['another size before the content', zipOf([{ path: 'a.html', content: 'x', local: { size: 7 } }]), /that differ/],
    ['another method before the content', zipOf([{ path: 'a.html', local: { method: 0 } }]), /headers that differ/],
    ['a tar after the end of a tar', gzipSync(Buffer.concat([tarOf(SITE), tarOf([link])])), /something follows/],
    ['a lone block of zeros in a tar', gzipSync(Buffer.concat([zeros(512), tarOf(SITE)])), /something follows/],
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
    ['number of entries', Array.from({ length: 7 }, () => ({ path: 'a/', type: 'Directory' as const })), /3 files/],
  ])('over the limit of the %s is refused', async (_what, entries, why) => {
    await expect(contentsOf(tarGzOf(entries), SMALL)).rejects.toThrow(why);
    await expect(contentsOf(zipOf(entries), SMALL)).rejects.toThrow(why);
  });

  it('of another tool is read: sizes that follow, long paths, and padding', async () => {
    expect(await contentsOf(zipOf(SITE.map((entry) => ({ ...entry, follows: true }))))).toEqual(CONTENTS);
    const long = `${'a'.repeat(90)}/${'b'.repeat(90)}/${'c'.repeat(90)}.html`;
    const pax = { path: 'pax', type: 'ExtendedHeader' as const, content: `${long.length + 10} path=${long}\n` };
    const gnu = { path: '././@LongLink', type: 'NextFileHasLongPath' as const, content: `${long}\0` };
    for (const header of [pax, gnu]) {
      const archive = tarOf([header, { path: 'short', content: 'x' }, { path: 'next' }]);
      const padded = gzipSync(Buffer.concat([archive, zeros(20 * 512)]));
      expect(await contentsOf(padded)).toEqual({ [long]: 'x', next: '' });
    }
    expect(await contentsOf(gzipSync(tarOf(SITE).subarray(0, -1024)))).toEqual(CONTENTS);
  });

  const TOOLS = [
    ['tar.gz', 'tar', ['--format=gnu', '-czf']],
    ['tar.gz', 'tar', ['--format=pax', '-czf']],
    ['zip', 'zip', ['-qr']],
    ['zip', 'python3', ['-m', 'zipfile', '-c']],
  ] as const;
  const has = (tool: string) => ['/bin', '/usr/bin', '/usr/local/bin'].some((at) => existsSync(path.join(at, tool)));
  it.each(TOOLS.filter(([, tool]) => has(tool)))('as .%s, made by %s %j', async (_kind, tool, args) => {
    const directory = await mkdtemp(path.join(tmpdir(), 'archive-test-'));
    const site = path.join(directory, 'site');
    const deep = path.join(site, ...Array.from({ length: 12 }, () => 'a long name of a directory'));
    await mkdir(deep, { recursive: true });
    await writeFile(path.join(deep, 'page.html'), 'x'.repeat(3000));
    await writeFile(path.join(site, 'index.html'), '');
    execFileSync(tool, [...args, '../archive', '.'], { cwd: site });
    const name = existsSync(path.join(directory, 'archive')) ? 'archive' : 'archive.zip';
    const contents = await contentsOf(await readFile(path.join(directory, name)));
    expect(Object.entries(contents).map(([each, { length }]) => [path.basename(each), length])).toEqual(
      expect.arrayContaining([
        ['page.html', 3000],
        ['index.html', 0],
      ]),
    );
    await rm(directory, { recursive: true });
  });
});

describe('a bomb', () => {
  it('is refused long before it is unpacked', async () => {
    const bomb = tarGzOf([{ path: 'a', content: zeros(64 * MIB) }]);
    expect(bomb.length).toBeLessThan(SMALL.archive);
    await expect(contentsOf(bomb, SMALL)).rejects.toThrow(/larger than 1000/);
    await expect(contentsOf(zipOf([{ path: 'a', content: zeros(64 * MIB) }]), SMALL)).rejects.toThrow(/larger than/);
    await expect(contentsOf(zipOf([{ path: 'a', content: zeros(MIB), size: 10 }]), SMALL)).rejects.toThrow(/rejected/);
  });

  it('of padding is refused after 1 MiB of it', async () => {
    await expect(contentsOf(gzipSync(zeros(8 * MIB)))).rejects.toThrow(/more than 1048576 bytes of padding/);
    const followed = gzipSync(Buffer.concat([tarOf(SITE), zeros(8 * MIB)]));
    await expect(contentsOf(followed)).rejects.toThrow(/padding/);
  });

  it('of many files that are zeros is refused by its ratio', async () => {
    const limits = { ...ARCHIVE_LIMITS, anyway: MIB };
    const files = Array.from({ length: 8 }, (_, at) => ({ path: `${at}`, content: zeros(MIB) }));
    await expect(contentsOf(tarGzOf(files), limits)).rejects.toThrow(/more than 200 times its size/);
    await expect(contentsOf(zipOf(files), limits)).rejects.toThrow(/more than 200 times its size/);
  });

  it('of headers without files is refused', async () => {
    const headers = Array.from({ length: 40 }, () => ({ path: 'pax', type: 'ExtendedHeader' as const }));
    await expect(contentsOf(tarGzOf(headers), SMALL)).rejects.toThrow(/headers are too long/);
    const long = Array.from({ length: 6 }, (_, at) => ({ path: `${'a'.repeat(1020)}${at}` }));
    await expect(contentsOf(zipOf(long), { ...SMALL, files: 3 })).rejects.toThrow(/headers are too long|3 files/);
  });

  it('of many names for one content is refused before any of it is unpacked', async () => {
    // Were it unpacked, its wrong checksum would be found.
    const names = Array.from({ length: 44 }, (_, at) => ({
      path: `${at}.html`,
      content: zeros(MIB),
      sum: 1,
      sameAs: 0,
    }));
    const archive = zipOf([{ path: 'index.html', content: zeros(MIB), sum: 1 }, ...names]);
    await expect(contentsOf(archive)).rejects.toThrow(/overlaps with another file/);
  });

  it('of contents that reach into each other is refused', async () => {
    const [first, second] = [
      { path: 'a.html', content: 'x' },
      { path: 'b.html', content: 'y' },
    ];
    // The first one's content begins in the middle of the second one.
    const extra = { path: 'a.html', content: 'x', local: { extra: zeros(20) } };
    const whole = zipOf([extra, second]);
    expect(await contentsOf(whole)).toEqual({ 'a.html': 'x', 'b.html': 'y' });
    const longer = Buffer.from(zipOf([first, second]));
    longer.writeUInt16LE(20, 28);
    await expect(contentsOf(longer)).rejects.toThrow(/overlaps with another file/);
  });

  it.each([
    ['gzip', gzipSync],
    ['brotli', brotliCompressSync],
  ])('in a bomb (%s) is not unpacked', async (_name, compress) => {
    await expect(contentsOf(gzipSync(compress(zeros(8 * MIB))))).rejects.toThrow(/damaged/);
  });
});

it('passes a site of pages that hardly differ', async () => {
  const layout = Array.from({ length: 60 }, (_, at) => `<li><a href="/page-${at}.html">Page ${at}</a></li>`).join('\n');
  const limits = { ...ARCHIVE_LIMITS, anyway: 0 };
  const pages = Array.from({ length: 1000 }, (_, at) => ({
    path: `page-${at}.html`,
    content: `${layout}<h1>${at}</h1>`,
  }));
  expect(Object.keys(await contentsOf(tarGzOf(pages), limits))).toHaveLength(1000);
});
