import type { Db } from '../db/database.ts';
import { assertNever } from '../errors.ts';
import { enqueue, postponedTo } from '../queue/enqueue.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Run } from './run.ts';

/** Progress reaches the code host once in so long, however fast results settle. */
const PROGRESS_MS = 5_000;

/**
 * Has the check of a pull request's run brought to what the run's state demands, once the caller's transaction commits;
 * runs of other types have no check. Jobs of one run take turns and a waiting one is not doubled, so what GitHub is
 * told last is the state as it is last. `soon` is for progress: those of some seconds make one update. `if-idle` leaves
 * a job that waits, for its next attempt as well, as it is.
 */
export async function tellCheck(
  trx: Db,
  run: Pick<Run, 'id' | 'runType'>,
  when: 'now' | 'soon' | 'if-idle',
): Promise<void> {
  if (run.runType !== 'PR') return;
  await enqueue(trx, 'show-check', { runId: run.id }, paceOf(when));
}

function paceOf(when: 'now' | 'soon' | 'if-idle'): EnqueueOptions {
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
