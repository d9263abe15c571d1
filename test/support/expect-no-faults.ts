import path from 'node:path';
import { expect } from '@jest/globals';
import type { Db } from '../../src/db/database.ts';
import type { Fault } from '../../src/fsck/fault.ts';
import { findFaults } from '../../src/fsck/find-faults.ts';
import { createDiskStorage } from '../../src/storage/disk-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** Expects what `pixelgate fsck --images` expects. */
export async function expectNoFaultsIn(db: Db, storage: Storage): Promise<void> {
  const clock = { now: () => new Date() };
  const faults: Fault[] = [];
  for await (const fault of findFaults({ db, storage, clock }, { images: true, checks: true })) faults.push(fault);
  expect(faults).toEqual([]);
}

/** The same of a service with disk storage in `dataDir`. */
export async function expectNoFaults(db: Db, dataDir: string): Promise<void> {
  await expectNoFaultsIn(db, createDiskStorage(path.join(dataDir, 'files')));
}
