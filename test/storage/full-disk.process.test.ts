import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

/** Runs statements on a disk storage where no file can have more than so many KiB. @returns what they print */
async function withSmallFiles(root: string, kibibytes: number, statements: string): Promise<string> {
  const module = pathToFileURL(path.resolve('dist/storage/disk-storage.js')).href;
  const script = `const { createDiskStorage } = await import('${module}');
    const storage = createDiskStorage('${root}');
    const tell = (work) => work.then(() => console.log('fine'), (error) => console.log(error.cause?.code ?? error.code));
    ${statements}`;
  // The limit is for all processes below this shell.
  const limited = `ulimit -S -f ${kibibytes}; "$0" --input-type=module -e "$1" | cat`;
  return (await promisify(execFile)('bash', ['-c', limited, process.execPath, script])).stdout;
}

it('a check that finds the disk full leaves nothing behind', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'pixelgate-full-'));
  const stdout = await withSmallFiles(root, 0, 'await tell(storage.check());');
  expect(stdout).toBe('EFBIG\n');
  expect(await readdir(path.join(root, '.parts'))).toEqual([]);
  await rm(root, { recursive: true });
});

it('a disk with room for less than the last object is no storage, until it has room for as much', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'pixelgate-nearly-full-'));
  const put = (bytes: number) => `await tell(storage.put('suites/one/${bytes}.png', Buffer.alloc(${bytes})));`;
  const check = 'await tell(storage.check());';
  const raise = `await (await import('node:util')).promisify((await import('node:child_process')).execFile)(
    'prlimit', ['--fsize=unlimited:', '--pid', String(process.pid)]);`;
  const told = await withSmallFiles(root, 1, [check, put(4096), put(512), check, raise, check, put(4096)].join('\n'));
  expect(told.split('\n')).toEqual(['fine', 'EFBIG', 'fine', 'EFBIG', 'fine', 'fine', '']);
  expect(await readdir(path.join(root, '.parts'))).toEqual([]);
  await rm(root, { recursive: true });
});
