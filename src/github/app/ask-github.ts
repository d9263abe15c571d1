import type { Context } from '../../context.ts';
import { enqueue, postponedTo } from '../../queue/enqueue.ts';
import type { JobName, JobPayloads } from '../../queue/job-kinds.ts';
import { isGone } from './github-client.ts';
import { GitHubBusy } from './respect-rate-limits.ts';

/**
 * Does the work of a job that asks GitHub. If GitHub wants no requests for longer than a job may wait, the job is queued
 * for later.
 * @param more.ifGone called when GitHub says that the subject no longer exists for us. Without it, that is a failure.
 * @param more.delays whether this also postpones a waiting job that is due sooner, because it can do nothing without GitHub
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
