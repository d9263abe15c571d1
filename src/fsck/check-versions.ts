import type { Db } from '../db/database.ts';
import type { Fault } from './fault.ts';
import { readBatches } from './read-batches.ts';
import { findPointers, findRepeatedPromotions, findVersionKeys } from './version-check-store.ts';
import type { Pointer, RepeatedPromotion, VersionKey } from './version-check-store.ts';

const BATCH = 1000;

const place = ({ path, viewport }: { path: string; viewport: string }) => `${path} at ${viewport}`;

async function* checkNumbers(db: Db): AsyncGenerator<Fault> {
  for await (const keys of readBatches(BATCH, (after: VersionKey | null, size) => findVersionKeys(db, after, size))) {
    for (const key of keys) {
      const { suiteId, versions, lowest, newest } = key;
      const about = { suiteId, subject: place(key) };
      if (lowest !== 1 || newest !== versions) {
        const message = `its ${versions} versions are numbered ${lowest} to ${newest}`;
        yield { kind: 'version_gap', ...about, message };
      }
      if (!key.hasBaseline) yield { kind: 'wrong_pointer', ...about, message: 'it has versions and no baseline' };
    }
  }
}

async function* checkPointers(db: Db): AsyncGenerator<Fault> {
  for await (const pointers of readBatches(BATCH, (after: Pointer | null, size) => findPointers(db, after, size))) {
    for (const pointer of pointers.filter(({ isNewest }) => !isNewest)) {
      const { suiteId, current, newest } = pointer;
      const message = `its baseline is version ${current}, the newest is ${newest ?? 'none'}, or they differ`;
      yield { kind: 'wrong_pointer', suiteId, subject: place(pointer), message };
    }
  }
}

/** Promotions of a suite take turns and look for versions of their results. No index would refuse a second one. */
async function* checkPromotions(db: Db): AsyncGenerator<Fault> {
  const read = async (after: RepeatedPromotion | null, size: number) => findRepeatedPromotions(db, after, size);
  for await (const promotions of readBatches(BATCH, read)) {
    for (const promotion of promotions) {
      const { suiteId, resultId, versions } = promotion;
      const message = `versions ${versions} are all of the result ${resultId}, with no undo between them`;
      yield { kind: 'promoted_twice', suiteId, subject: place(promotion), message };
    }
  }
}

/**
 * Versions are numbered from 1 without a gap, the newest of each page and viewport is its baseline, and no result is two
 * versions, unless its approval was undone between them.
 */
export async function* checkVersions(db: Db): AsyncGenerator<Fault> {
  yield* checkNumbers(db);
  yield* checkPointers(db);
  yield* checkPromotions(db);
}
