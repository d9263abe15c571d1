import { isDeepStrictEqual } from 'node:util';
import type { CaptureWay } from '../capture/browser/browser.ts';
import type { Db } from '../db/database.ts';
import type { Baseline } from './baseline.ts';
import { changeMaking } from './version-store.ts';

/**
 * A later screenshot has the bytes of this baseline: what is known of how it was made holds for the baseline, too.
 * `way`: null when it says nothing.
 */
export async function confirmMaking(
  db: Db,
  { currentVersionId, atRest, captureWay }: Pick<Baseline, 'atRest' | 'captureWay' | 'currentVersionId'>,
  later: { atRest: boolean; way: CaptureWay | null },
): Promise<void> {
  const known = { atRest: atRest || later.atRest, captureWay: later.way ?? captureWay };
  if (isDeepStrictEqual(known, { atRest, captureWay })) return;
  await changeMaking(db, currentVersionId, known);
}
