import type { Db } from '../db/database.ts';
import { markAtRest } from './version-store.ts';

/** A screenshot of a page at rest has the bytes of this version: it shows the page at rest, too. */
export async function confirmAtRest(db: Db, versionId: string): Promise<void> {
  await markAtRest(db, versionId);
}
