import { keepNewest } from '../async/keep-newest.ts';
import type { Db } from '../db/database.ts';
import { enqueue, postponedTo } from '../queue/enqueue.ts';
import type { Run } from './run.ts';

/** Progress is sent to the code host at most once in this time, however fast results settle. */
const PROGRESS_MS = 5_000;

/**
 * Queues a job that updates the check of a pull request's run, once the caller's transaction commits. Runs of other
 * types have no check. Jobs of one run share a queue and only one waits at a time, so GitHub's last update shows the
 * last state. `if-idle` does not change a job that already waits, not even one that waits for its next attempt.
 */
export async function queueCheckUpdate(
  trx: Db,
  run: Pick<Run, 'id' | 'runType'>,
  when: 'now' | 'if-idle',
): Promise<void> {
  if (run.runType !== 'PR') return;
  await enqueue(trx, 'show-check', { runId: run.id }, when === 'now' ? {} : { keyMode: 'unsafe_dedupe' });
}

/** When this process queued the last one for a run, ms since 1970. */
const queued = new Map<string, number>();
const MOST_RUNS = 100;

/** The same for progress: several changes within seconds make one update. The end of a run is not progress. */
export async function queueProgressUpdate(trx: Db, run: Pick<Run, 'id' | 'runType'>, now: Date): Promise<void> {
  if (run.runType !== 'PR') return;
  const ago = now.getTime() - (queued.get(run.id) ?? -Infinity);
  if (ago >= 0 && ago < PROGRESS_MS) return;
  keepNewest(queued, run.id, now.getTime(), MOST_RUNS);
  await enqueue(trx, 'show-check', { runId: run.id }, postponedTo(new Date(now.getTime() + PROGRESS_MS)));
}
