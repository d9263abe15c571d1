import type { Db } from '../db/database.ts';
import { assertNever } from '../errors.ts';
import { enqueue, postponedTo } from '../queue/enqueue.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Run } from './run.ts';

/** Progress is sent to the code host at most once in this time, however fast results settle. */
const PROGRESS_MS = 5_000;

/**
 * Queues a job that updates the check of a pull request's run, once the caller's transaction commits. Runs of other
 * types have no check. Jobs of one run take turns and only one waits at a time, so GitHub's last update shows the last
 * state. `soon` is for progress: several changes within seconds make one update. `if-idle` does not change a job that
 * already waits, not even one that waits for its next attempt.
 */
export async function queueCheckUpdate(
  trx: Db,
  run: Pick<Run, 'id' | 'runType'>,
  when: 'now' | 'soon' | 'if-idle',
): Promise<void> {
  if (run.runType !== 'PR') return;
  await enqueue(trx, 'show-check', { runId: run.id }, choosePollDelay(when));
}

function choosePollDelay(when: 'now' | 'soon' | 'if-idle'): EnqueueOptions {
  switch (when) {
    case 'now':
      return {};
    case 'soon':
      return postponedTo(new Date(Date.now() + PROGRESS_MS));
    case 'if-idle':
      return { keyMode: 'unsafe_dedupe' };
    default:
      return assertNever(when);
  }
}
