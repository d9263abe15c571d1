import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

it('a check that finds the disk full leaves nothing behind', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'pixelgate-full-'));
  const module = pathToFileURL(path.resolve('dist/storage/disk-storage.js')).href;
  const check = `const { createDiskStorage } = await import('${module}');
    await createDiskStorage('${root}').check().then(() => console.log('fine'), (error) => console.log(error.cause?.code ?? error.code));`;
  // No process below this shell can write a byte to any file.
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    'ulimit -f 0; "$0" --input-type=module -e "$1" | cat',
    process.execPath,
    check,
  ]);
  expect(stdout).toBe('EFBIG\n');
  expect(await readdir(path.join(root, '.parts'))).toEqual([]);
  await rm(root, { recursive: true });
});
