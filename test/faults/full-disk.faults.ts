import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { hasSaid, mostAttempts, OUTAGE_MS, setUpLongRuns, until, type LongRuns } from './long-run.ts';

/* A service whose images are on a small file system of their own. Only root may mount one: for others this fails. */

const LONG_MS = 1_800_000;
/** Longer than it takes to use up all attempts, if the waits between them were all that there is. */
const FULL_MS = Math.min(OUTAGE_MS, 120_000);

let database: TestDatabase;
let dataDir: string;
let files: string;
let service: ServiceProcess;
let runs: LongRuns;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-small-disk-'));
  files = path.join(dataDir, 'files');
  await mkdir(files);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', files]);
  database = await createTestDatabase();
  service = await startServiceProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  runs = await setUpLongRuns(service.url);
}, LONG_MS);

afterAll(async () => {
  await service.end();
  await runs.site.stop();
  try {
    await expectNoFaults(database.db, dataDir);
  } finally {
    await database.drop();
    execFileSync('umount', [files]);
    await rm(dataDir, { recursive: true });
  }
}, LONG_MS);

/** Writes a file until nothing more fits. @returns its path */
async function fillUp(): Promise<string> {
  const filler = path.join(files, 'filler');
  const file = await open(filler, 'w');
  for (const size of [65_536, 1]) {
    const isFull = async () =>
      file.write(Buffer.alloc(size)).then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'ENOSPC',
      );
    while (!(await isFull()));
  }
  await file.close();
  return filler;
}

it(
  'a disk that is full in the middle of a run costs the time that it is full, and no attempt',
  async () => {
    const earlier = await runs.start('Before');
    earlier.release();
    await runs.expectUntouched(earlier.runId);

    const { runId, release } = await runs.start('After');
    const from = service.lines.length;
    const filler = await fillUp();
    release();
    await until(() => hasSaid(service, 'a part is away', from));
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    const before = await mostAttempts(database.db);
    await sleep(FULL_MS);
    expect(await mostAttempts(database.db)).toBe(before);
    await rm(filler);
    const run = await runs.expectUntouched(runId);
    expect(run.metadata.failedTests).toBe(4);
    expect(await readdir(path.join(files, '.parts'))).toEqual([]);
  },
  LONG_MS,
);
