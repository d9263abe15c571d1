import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { sweepProfiles } from '../../../src/capture/browser/sweep-profiles.ts';

const LATER_MS = 120_000;

it('removes what killed browsers left, and nothing that is in use or new', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-profiles-'));
  const [left, used, other] = ['playwright_chromiumdev_profile-a1', 'playwright_chromiumdev_profile-b2', 'keep'];
  for (const name of [left, used, other]) await mkdir(path.join(directory, name, 'Default'), { recursive: true });
  const browser = spawn(process.execPath, [
    '-e',
    'console.log(1); setInterval(() => {}, 1000)',
    '--',
    `--user-data-dir=${path.join(directory, used)}`,
  ]);
  await once(browser.stdout, 'data');

  expect(await sweepProfiles(directory)).toBe(0);
  expect(await sweepProfiles(directory, Date.now() + LATER_MS)).toBe(1);
  expect((await readdir(directory)).sort()).toEqual([other, used]);

  browser.kill();
  await once(browser, 'exit');
  expect(await sweepProfiles(directory, Date.now() + LATER_MS)).toBe(1);
  expect(await readdir(directory)).toEqual([other]);
  await rm(directory, { recursive: true });
});
