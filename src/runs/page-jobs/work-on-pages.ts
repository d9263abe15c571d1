import { createSignal } from '../../async/signal.ts';
import type { WorkerContext } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import type { JobRun } from '../../queue/job.ts';
import { capturePage } from './capture-page.ts';
import { comparePage } from './compare-page.ts';
import { freeDeadPages, openSlotsOf } from './free-pages.ts';
import { createOpenRuns, leaveSlot, type OpenRuns, type PageJob } from './open-runs.ts';
import { failPage, findTakersOf, leavePage, newTaker, takePage, type TakenPage } from './page-work-store.ts';
import { LATER_MS, MAX_MINUTES, type PageWork, type Slot } from './page-work.ts';
import { captureControl } from './take-control.ts';

/** Lets one page of a slot work at a time: it loads, is laid out and captured, until it waits for something. */
type LoadTurns = {
  /**
   * Waits for a turn, first come, first served. @returns a function that ends the turn and may be called repeatedly.
   */
  take(): Promise<() => void>;
  /** Waits until no page has a turn or waits for one. */
  free(): Promise<void>;
};

function createLoadTurns(): LoadTurns {
  const waiting: (() => void)[] = [];
  const idle = createSignal();
  let isTaken = false;

  const next = () => {
    const begin = waiting.shift();
    if (begin !== undefined) return begin();
    isTaken = false;
    return idle.give();
  };

  return {
    async take() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        next();
      };
    },
    async free() {
      if (isTaken) await idle.wait();
    },
  };
}

/** How long a slot takes pages before other jobs of its lane come first. */
const SLICE_MS = 10_000;

/** @returns whether all of the taken work is done. */
async function doWork(
  ctx: WorkerContext,
  work: PageWork,
  page: TakenPage,
  { runs, ...job }: PageJob & { runs: OpenRuns },
): Promise<boolean> {
  if (work === 'compare') {
    await comparePage(ctx, page);
    return false;
  }
  const isDone = page.captures && (await capturePage(ctx, page, job, runs));
  if (page.controls) await captureControl(ctx, page, job, runs);
  return isDone && !page.controls;
}

/**
 * A page that fails is tried again later. Pages that are left to another browser, or were cancelled, are not changed.
 */
async function workOnPage(
  ctx: WorkerContext,
  work: PageWork,
  page: TakenPage,
  { job, taker, ...how }: Omit<PageJob, 'signal'> & { job: JobRun; taker: string; runs: OpenRuns },
): Promise<void> {
  const { runId, path } = page;
  try {
    let isDone = false;
    await job.part({ page: { runId, path }, maxMinutes: MAX_MINUTES[work] }, async (signal) => {
      isDone = await doWork(ctx, work, page, { signal, ...how });
    });
    if (!isDone) await leavePage(ctx.db, taker, page, LATER_MS);
  } catch (error) {
    const isClosing = job.isClosing();
    if (!isClosing) ctx.log.error({ err: error, work, runId, path }, 'the work on a page failed and is tried again');
    await inTransaction(ctx.db, async (trx) => {
      if (isClosing) await leavePage(trx, taker, page, 0);
      else await failPage(trx, [taker], page);
      // It may need another kind of work by now.
      await openSlotsOf(trx, runId);
    });
  }
}

/** The job has a place of the lane, and takes one more for each page that is open beside the first. */
function createOwnPlaces(job: JobRun) {
  let isFree = true;
  return (): (() => void) | null => {
    if (!isFree) return job.takePlace();
    isFree = false;
    return () => {
      isFree = true;
    };
  };
}

/** Null: there is no place, or no page. */
async function takeNext(
  takePlace: () => (() => void) | null,
  take: () => Promise<TakenPage | null>,
): Promise<{ page: TakenPage; leave: () => void } | null> {
  const leave = takePlace();
  if (leave === null) return null;
  let page: TakenPage | null = null;
  try {
    page = await take();
  } finally {
    // Other jobs of the thread would miss it, also if the database failed.
    if (page === null) leave();
  }
  return page && { page, leave };
}

/**
 * Works off the pages of a suite for a slice of time. One page is worked on at a time: while it waits for rest or is stored,
 * the next one begins beside it, if there is a place.
 */
async function workOnPages(
  ctx: WorkerContext,
  work: PageWork,
  slot: Slot,
  job: JobRun,
  sliceMs: number,
): Promise<void> {
  const until = performance.now() + sliceMs;
  let taken = 0;
  const taker = newTaker(job.id);
  const runs = createOpenRuns(ctx);
  const turns = createLoadTurns();
  const takePlace = createOwnPlaces(job);
  const open = new Set<Promise<void>>();
  /** Each slice takes at least one page, or there would be no progress. */
  const isOver = () => job.isClosing() || job.signal.aborted || (taken > 0 && performance.now() >= until);

  /** @returns a promise that resolves when the page has waited once, or has ended. */
  function begin(page: TakenPage, leave: () => void): Promise<void> {
    return new Promise((resolve) => {
      const takeTurn = async () => {
        const end = await turns.take();
        return () => {
          end();
          resolve();
        };
      };
      const done = workOnPage(ctx, work, page, { job, taker, takeTurn, takePlace, runs }).finally(() => {
        leave();
        open.delete(done);
        resolve();
      });
      open.add(done);
      // The error is reported where all open pages are awaited.
      done.catch(() => undefined);
    });
  }

  // If the job was delivered before, its worker died.
  await freeDeadPages(ctx.db, await findTakersOf(ctx.db, [job.id]));
  try {
    for (;;) {
      const next = isOver() ? null : await takeNext(takePlace, async () => takePage(ctx.db, work, slot, taker));
      if (next !== null) {
        taken += 1;
        await begin(next.page, next.leave);
        await turns.free();
        continue;
      }
      if (open.size === 0) break;
      await Promise.race(open);
    }
  } finally {
    await Promise.allSettled(open);
  }
  job.signal.throwIfAborted();
  await leaveSlot(ctx.db, work, slot);
}

/** Job: captures pages of a suite's runs, one after the other. Several of them work for a suite, one for each slot. */
export async function captureSuite(ctx: WorkerContext, slot: Slot, job: JobRun, sliceMs = SLICE_MS): Promise<void> {
  await workOnPages(ctx, 'capture', slot, job, sliceMs);
}

/** Job: the same with screenshots that differ from their baselines. */
export async function compareSuite(ctx: WorkerContext, slot: Slot, job: JobRun): Promise<void> {
  await workOnPages(ctx, 'compare', slot, job, SLICE_MS);
}
