import type { Context } from '../context.ts';
import { enqueueAll } from '../queue/enqueue.ts';
import { findOutdatedOfOpen } from './pull-request-run-store.ts';

/** No suite has more open pull requests than this. */
const MAX_RUNS = 1000;

/**
 * Job: after a baseline has moved (docs/rules.md, Baselines), queues the newest run of each open pull request that was
 * compared with another version of it. No page is captured.
 */
export async function followBaselines({ db }: Pick<Context, 'db'>, { suiteId }: { suiteId: string }): Promise<void> {
  const runIds = await findOutdatedOfOpen(db, suiteId, MAX_RUNS);
  const jobs = runIds.map((runId) => ({ payload: { runId } }));
  await enqueueAll(db, 'compare-anew', jobs);
}
