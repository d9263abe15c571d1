import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../db/database.ts';
import { mergeMaking, type Baseline, type KnownMaking } from './baseline.ts';
import { keepMaking } from './version-store.ts';

/** A later screenshot has the same bytes as this baseline: adds what is known about how that one was made. */
export async function confirmMaking(
  db: Db,
  baseline: Pick<Baseline, 'currentVersionId' | keyof KnownMaking>,
  later: KnownMaking,
): Promise<void> {
  const { currentVersionId, atRest, captureWay, manifestFile, heardFile } = baseline;
  const before = { atRest, captureWay, manifestFile, heardFile };
  const known = mergeMaking(before, later);
  if (!isDeepStrictEqual(known, before)) await keepMaking(db, currentVersionId, known);
}
