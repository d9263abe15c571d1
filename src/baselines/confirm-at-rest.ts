import type { Db } from '../db/database.ts';
import type { Baseline } from './baseline.ts';
import { markAtRest } from './version-store.ts';

/** A screenshot of a page at rest has the bytes of this baseline: the baseline shows the page at rest, too. */
export async function confirmAtRest(
  db: Db,
  { atRest, currentVersionId }: Pick<Baseline, 'atRest' | 'currentVersionId'>,
): Promise<void> {
  if (!atRest) await markAtRest(db, currentVersionId);
}
