import { keepNewest } from '../../async/keep-newest.ts';
import type { WorkerContext } from '../../context.ts';
import { findRunStatus } from '../run-store.ts';
import type { Run, RunStatus } from '../run.ts';

/** What work on a page must respect. */
export type PageJob = {
  signal: AbortSignal;
  /**
   * Resolves when the page may be loaded. The resulting function is called when the page waits or is done. Default:
   * always.
   */
  takeTurn?: () => Promise<() => void>;
  /** Takes a place for one more open page. @returns a function that gives it back; null if there is none. */
  takePlace?: () => (() => void) | null;
};

/** What a capture must respect: it ends between two steps if `isOver`. */
export type Pace = Pick<PageJob, 'takeTurn' | 'takePlace'> & { isOver: () => Promise<boolean> };

/** Captures check between all their steps. A process asks the database this often, ms, for all captures of a run. */
const ASK_MS = 1000;
const MOST_RUNS = 50;

const asked = new Map<string, { at: number; status: Promise<RunStatus | null> }>();

function askStatus({ db }: Pick<WorkerContext, 'db'>, { id }: Pick<Run, 'id'>): Promise<RunStatus | null> {
  const known = asked.get(id);
  const now = performance.now();
  if (known !== undefined && now - known.at < ASK_MS) return known.status;
  const { status } = keepNewest(asked, id, { at: now, status: findRunStatus(db, id) }, MOST_RUNS);
  status.catch(() => asked.delete(id));
  return status;
}

/** A capture ends with its job, and within a second with its run. */
export const paceOf = (ctx: Pick<WorkerContext, 'db'>, run: Pick<Run, 'id'>, { signal, ...job }: PageJob): Pace => ({
  ...job,
  isOver: async () => signal.aborted || (await askStatus(ctx, run)) !== 'RUNNING',
});
