import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { buildPrefix } from '../../storage/object-name.ts';
import { hasBuildStoredAs, removeUnusedBuilds } from './build-store.ts';

const DAY_MS = 86_400_000;
/** How long a build waits for its first run. */
const KEPT_MS = 7 * DAY_MS;
/** No upload takes this long. */
const ABANDONED_MS = DAY_MS;
const AT_ONCE = 100;

/** Removes builds that no run uses, and queues the removal of their objects. */
export async function sweepBuilds({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now().getTime();
  const before = { ready: new Date(now - KEPT_MS), storing: new Date(now - ABANDONED_MS) };
  await inTransaction(db, async (trx) => {
    for (const { testSuiteId, storedAs } of await removeUnusedBuilds(trx, before, AT_ONCE)) {
      await enqueue(trx, 'remove-build-objects', { suiteId: testSuiteId, storedAs });
    }
  });
}

/** Job. Builds with the same files share their objects, which are removed with the last of them. */
export async function removeBuildObjects(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  { suiteId, storedAs }: { suiteId: string; storedAs: string },
): Promise<void> {
  if (!(await hasBuildStoredAs(db, suiteId, storedAs))) await storage.removeAll(buildPrefix(suiteId, storedAs));
}
