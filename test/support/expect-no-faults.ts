import path from 'node:path';
import { expect } from '@jest/globals';
import type { Db } from '../../src/db/database.ts';
import type { Fault } from '../../src/fsck/fault.ts';
import { findFaults } from '../../src/fsck/find-faults.ts';
import { createDiskStorage } from '../../src/storage/disk-storage.ts';

/** Expects what `pixelgate fsck --images` expects, of a service with disk storage in `dataDir`. */
export async function expectNoFaults(db: Db, dataDir: string): Promise<void> {
  const storage = createDiskStorage(path.join(dataDir, 'files'));
  const clock = { now: () => new Date() };
  const faults: Fault[] = [];
  for await (const fault of findFaults({ db, storage, clock }, { images: true, checks: true })) faults.push(fault);
  expect(faults).toEqual([]);
}
