import { forgetComparisons } from '../baselines/compare-screenshots.ts';
import type { Context, WorkerContext } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { CLOCK } from '../events/event.ts';
import { recordEvent } from '../events/record-event.ts';
import { enqueue, enqueueMissing } from '../queue/enqueue.ts';
import type { JobRun } from '../queue/job.ts';
import { removeRun } from '../runs/end-run.ts';
import { isSuite } from '../suites/read-suite.ts';
import { countSuite } from './count-suite.ts';
import { countIfGoing, findGoing, type Border } from './going-run-store.ts';
import { leaveObjects, leaveObjectsOfRun } from './left-object-store.ts';
import { findUncounted } from './storage-figures-store.ts';

const DAY_MS = 86_400_000;
/** Runs that one job removes. Then it lets others have a turn. */
const AT_ONCE = 100;
const SUITES_AT_ONCE = 1000;

/** Queues the suites that were not swept for a day. */
export async function queueSweeps({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const due = await findUncounted(db, new Date(clock.now().getTime() - DAY_MS), SUITES_AT_ONCE);
  await enqueueMissing(
    db,
    'sweep-suite',
    due.map((suiteId) => ({ payload: { suiteId } })),
  );
}

/** Removes one run, unless something needs it by now. False: it stays. */
async function sweepRun({ db }: Pick<Context, 'db'>, border: Border, suiteId: string, runId: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const results = await removeRun(trx, runId, async () => {
      const count = await countIfGoing(trx, border, runId);
      if (count !== null) await leaveObjectsOfRun(trx, { runId, now: border.now });
      return count;
    });
    if (results === null) return false;
    const details = { runs: 1, results, objects: 0, bytes: 0 };
    await recordEvent(trx, CLOCK, { kind: 'retention.swept', suiteId, runId, details });
    return true;
  });
}

/** @returns whether more may follow. */
async function sweepRuns(ctx: WorkerContext, border: Border, suiteId: string, signal: AbortSignal): Promise<boolean> {
  const going = await findGoing(ctx.db, border, suiteId, AT_ONCE);
  let removed = 0;
  for (const id of going) {
    signal.throwIfAborted();
    if (await sweepRun(ctx, border, suiteId, id)) removed += 1;
  }
  if (removed > 0) ctx.log.info({ suiteId, runs: removed }, 'removed old runs');
  ctx.measure('swept', { kind: 'run' }, removed);
  return removed > 0 && going.length === AT_ONCE;
}

/**
 * Job. Removes old runs of a suite, some at a time, and then what they left in storage. It can be interrupted anywhere: what
 * is done is done, and the next one continues.
 */
export async function sweepSuite(
  ctx: WorkerContext,
  { suiteId }: { suiteId: string },
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const { db, clock, config, log } = ctx;
  if (!(await isSuite(ctx, suiteId))) return;
  const border = { now: clock.now(), limits: config.keepRuns, isGiven: false };
  if (await sweepRuns(ctx, border, suiteId, signal)) return enqueue(db, 'sweep-suite', { suiteId });
  await inTransaction(db, async (trx) =>
    leaveObjects(trx, suiteId, {
      names: await forgetComparisons(trx, suiteId, border.now),
      now: border.now,
      again: true,
    }),
  );
  const { count, bytes } = await countSuite(ctx, suiteId, signal);
  if (count === 0) return;
  log.info({ suiteId, objects: count, bytes }, 'removed stored objects that nothing names');
  ctx.measure('swept', { kind: 'object' }, count);
  const details = { runs: 0, results: 0, objects: count, bytes };
  await recordEvent(db, CLOCK, { kind: 'retention.swept', suiteId, details });
}
