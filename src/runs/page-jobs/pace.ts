import type { WorkerContext } from '../../context.ts';
import type { Run } from '../run.ts';
import { findRunStatus } from '../run-store.ts';

/** What work on a page heeds. */
export type PageJob = {
  signal: AbortSignal;
  /** Resolves when the page may be loaded; what it resolves to is called when it has loaded. Default: it may always. */
  takeTurn?: () => Promise<() => void>;
};

/** What a capture heeds: it ends between two steps when `isOver`. */
export type Pace = Pick<PageJob, 'takeTurn'> & { isOver: () => Promise<boolean> };

/** A capture ends with its job, and with its run. */
export const paceOf = (ctx: Pick<WorkerContext, 'db'>, { id }: Pick<Run, 'id'>, { signal, ...job }: PageJob): Pace => ({
  ...job,
  isOver: async () => signal.aborted || (await findRunStatus(ctx.db, id)) !== 'RUNNING',
});
