import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { findIdleJobs } from '../../queue/job-store.ts';
import type { PageOfJob } from '../../queue/job.ts';
import type { ScheduledTask } from '../../queue/schedule.ts';
import { findResult } from '../results/result-store.ts';
import { findRun } from '../run-store.ts';
import { settleResult } from './compare-page.ts';
import { openSlots } from './open-runs.ts';
import { failPage, findFailedIds, findTakers, findTakersOf, freePages } from './page-work-store.ts';
import { endWithout } from './take-control.ts';

const LOOK_MS = 2_000;

const WHY = 'the worker failed on every attempt';

/** Opens slots for the pages of a run, for all kinds of work. */
export async function openSlotsOf(trx: Db, runId: string): Promise<void> {
  const run = await findRun(trx, runId);
  if (run === null) return;
  await openSlots(trx, run, 'capture');
  await openSlots(trx, run, 'compare');
}

/**
 * Frees the pages that jobs of a blocked thread had taken, in the transaction that puts the jobs back. `blocked`: the one
 * whose work blocked it.
 */
export async function putBackPages(trx: Db, jobIds: string[], blocked: PageOfJob | null): Promise<void> {
  const takers = await findTakersOf(trx, jobIds);
  if (blocked !== null) await failPage(trx, takers, blocked);
  for (const runId of await freePages(trx, takers, false)) await openSlotsOf(trx, runId);
}

/** Frees the pages of takers whose workers died, and opens slots for them. @returns their runs */
export async function freeDeadPages(db: Db, takers: readonly string[]): Promise<string[]> {
  if (takers.length === 0) return [];
  return inTransaction(db, async (trx) => {
    const runIds = await freePages(trx, takers, true);
    for (const runId of runIds) await openSlotsOf(trx, runId);
    return runIds;
  });
}

/** Frees the pages of jobs that ended without a result because their workers died. */
async function freeLostPages({ db, log }: Pick<Context, 'db' | 'log'>): Promise<void> {
  const takers = await findTakers(db);
  const idle = takers.length === 0 ? [] : await findIdleJobs(db, [...new Set(takers.map(({ jobId }) => jobId))]);
  const lost = takers.filter(({ jobId }) => idle.includes(jobId)).map(({ taker }) => taker);
  const runs = await freeDeadPages(db, lost);
  if (runs.length > 0) log.warn({ runs }, 'freed the pages of dead workers');
}

/** Ends a result whose page failed at every attempt, so that the run can end. */
export async function giveUpResult(ctx: Pick<Context, 'db' | 'clock' | 'log'>, id: string): Promise<void> {
  const result = await findResult(ctx.db, id);
  if (result?.status !== 'PENDING') return;
  const { testRunId: runId, path, viewport, currentFile, controlState } = result;
  ctx.log.error({ runId, path, viewport }, 'gave up a page');
  if (controlState === 'DUE') return endWithout(ctx, result, WHY);
  const what = currentFile === null ? 'The page could not be captured' : 'The screenshots could not be compared';
  await settleResult(ctx, result, { status: 'ERROR', error: `${what} because ${WHY}`, errorCode: 'worker' });
}

async function giveUpFailedPages(ctx: Pick<Context, 'db' | 'clock' | 'log'>): Promise<void> {
  for (const id of await findFailedIds(ctx.db)) await giveUpResult(ctx, id);
}

/** Every worker host does this, for the pages of all hosts. */
export function pageMaintenance(ctx: Pick<Context, 'db' | 'clock' | 'log'>): ScheduledTask[] {
  return [
    { name: 'free lost pages', everyMs: LOOK_MS, run: () => freeLostPages(ctx) },
    { name: 'give up pages', everyMs: LOOK_MS, run: () => giveUpFailedPages(ctx) },
  ];
}
