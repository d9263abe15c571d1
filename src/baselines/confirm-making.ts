import { isDeepStrictEqual } from 'node:util';
import type { CaptureWay } from '../capture/browser/capture-request.ts';
import type { Db } from '../db/database.ts';
import type { Baseline } from './baseline.ts';
import { changeMaking } from './version-store.ts';

/**
 * A later screenshot has the same bytes as this baseline, so what is known about how it was made applies to the
 * baseline, too. `way`: null if nothing is known.
 */
export async function confirmMaking(
  db: Db,
  {
    currentVersionId,
    atRest,
    captureWay,
    manifestFile,
    heardFile,
  }: Pick<Baseline, 'atRest' | 'captureWay' | 'manifestFile' | 'heardFile' | 'currentVersionId'>,
  later: { atRest: boolean; way: CaptureWay | null; manifestFile: string | null; heardFile: string | null },
): Promise<void> {
  const known = {
    atRest: atRest || later.atRest,
    captureWay: later.way ?? captureWay,
    manifestFile: later.manifestFile ?? manifestFile,
    heardFile: later.heardFile ?? heardFile,
  };
  if (isDeepStrictEqual(known, { atRest, captureWay, manifestFile, heardFile })) return;
  await changeMaking(db, currentVersionId, known);
}
