import type { Context } from '../../context.ts';
import { enqueue, postponedTo } from '../../queue/enqueue.ts';
import type { JobName, JobPayloads } from '../../queue/job-kinds.ts';
import { isGone } from './github-client.ts';
import { GitHubBusy } from './respect-rate-limits.ts';

/**
 * The work of a job that asks GitHub. If GitHub wants no requests for longer than a job may wait, the job comes again then.
 * @param more.ifGone for an answer that the subject no longer exists for us. Without it, that is a failure.
 * @param more.delays whether a job that waits already and is due sooner comes then, too: without GitHub it has nothing to do
 */
export async function askGitHub<N extends JobName>(
  { db }: Pick<Context, 'db'>,
  name: N,
  payload: JobPayloads[N],
  ask: () => Promise<void>,
  { ifGone, delays = false }: { ifGone?: (error: unknown) => Promise<void> | void; delays?: boolean } = {},
): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (error instanceof GitHubBusy) {
      await enqueue(db, name, payload, delays ? { runAt: error.until } : postponedTo(error.until));
    } else if (ifGone !== undefined && isGone(error)) await ifGone(error);
    else throw error;
  }
}
