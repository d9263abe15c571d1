import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';

const ROOT = path.join(import.meta.dirname, '../..');
const Package = z.object({
  name: z.string(),
  version: z.string(),
  private: z.boolean().optional(),
  bin: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.unknown().optional(),
  scripts: z.unknown().optional(),
});
const readPackage = async (folder: string) =>
  Package.parse(JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')));

let folder: string;
beforeAll(async () => {
  // Elsewhere, where nothing is found but what the package says that it needs.
  folder = await mkdtemp(path.join(tmpdir(), 'pixelgate-npm-'));
  const packed = spawnSync(process.execPath, ['test/tooling/pack-cli.js', path.join(folder, 'package')], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
  });
  if (packed.status !== 0) throw new Error(packed.stderr);
  await mkdir(path.join(folder, 'node_modules'));
  const { dependencies } = await readPackage(path.join(folder, 'package'));
  for (const name of Object.keys(dependencies)) {
    await symlink(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
});
afterAll(async () => rm(folder, { recursive: true }));

function run(...args: string[]) {
  const env = { PATH: process.env['PATH'] };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['package/dist/cli.js', ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('has what the tool needs, of the same versions, and nothing of the service', async () => {
  const own = await readPackage(ROOT);
  const made = await readPackage(path.join(folder, 'package'));
  expect(made).toEqual({
    name: 'pixelgate',
    version: own.version,
    bin: own.bin,
    dependencies: { tar: own.dependencies['tar'], zod: own.dependencies['zod'] },
  });
  const files = await readdir(path.join(folder, 'package'), { recursive: true, withFileTypes: true });
  const places = files
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(folder, 'package'), path.join(entry.parentPath, entry.name)));
  const other = places.filter((place) => !/^dist\/(cli|text)\/[\w-]+\.js$/.test(place));
  expect(other.toSorted()).toEqual(['LICENSE', 'README.md', 'dist/cli.js', 'dist/errors.js', 'package.json']);
});

it('is refused by npm where it is the whole service', async () => {
  expect((await readPackage(ROOT)).private).toBe(true);
});

it('runs alone: help, what is wrong with a call, and a server that is not there', () => {
  expect(run('--help')).toEqual({ status: 0, stdout: expect.stringMatching(/^Usage: pixelgate/), stderr: '' });
  expect(run('run')).toMatchObject({ status: 3, stderr: expect.stringContaining('PIXELGATE_URL is not set') });
  expect(run('status', 'some-run', '--server', 'http://127.0.0.1:1')).toMatchObject({ status: 3 });
});

it('says where the commands of an operator are', () => {
  for (const command of ['fsck', 'backup', 'restore', 'storage']) {
    expect(run(command)).toMatchObject({ status: 3, stderr: expect.stringContaining('where that is installed') });
  }
});
