import type { Db } from '../../db/database.ts';
import { enqueue, enqueueAll, slotQueue } from '../../queue/enqueue.ts';
import type { Run } from '../run.ts';

/** A hash of the path that is the same on every host. It spreads pages over a suite's slots. */
function spread(path: string): number {
  let sum = 0;
  for (const character of path) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return sum;
}

/** One job per page, spread over as many queues as the suite may capture pages at once on all hosts (contract 3). */
export async function queueCaptures(trx: Db, run: Run, paths: string[]): Promise<void> {
  const slots = run.config.screenshotConcurrency;
  await enqueueAll(
    trx,
    'capture-page',
    paths.map((path, index) => ({
      payload: { runId: run.id, path },
      options: { queue: slotQueue('capture', run.testSuiteId, index % slots) },
    })),
  );
}

/** The same for one page of a run, at a later time. */
export async function queueCaptureLater(trx: Db, run: Run, path: string, runAt: Date): Promise<void> {
  const slot = spread(path) % run.config.screenshotConcurrency;
  const queue = slotQueue('capture', run.testSuiteId, slot);
  await enqueue(trx, 'capture-page', { runId: run.id, path }, { queue, runAt });
}

/** At most one comparison of a page waits at a time, so a page with several viewports does not queue several jobs. */
export async function queueComparison(trx: Db, run: Run, path: string): Promise<void> {
  const slot = spread(path) % run.config.comparisonConcurrency;
  const queue = slotQueue('compare', run.testSuiteId, slot);
  await enqueue(trx, 'compare-page', { runId: run.id, path }, { queue });
}

/** Captures a page on the suite's own site as well. At most one such job of a page waits, whatever its viewports. */
export async function queueControl(trx: Db, run: Run, path: string, runAt?: Date): Promise<void> {
  const slot = spread(path) % run.config.screenshotConcurrency;
  const queue = slotQueue('capture', run.testSuiteId, slot);
  await enqueue(trx, 'capture-control', { runId: run.id, path }, { queue, ...(runAt === undefined ? {} : { runAt }) });
}
