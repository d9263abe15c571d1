import type { Context } from '../context.ts';
import { countSections, findApprovers } from './overview-store.ts';
import type { Approver } from './approver.ts';

import type { RunFor } from '../runs/read-run.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { hasApprovedEarlier } from './review-row-store.ts';
import type { ReviewSection } from './review-section.ts';
import { countBySection } from './review-section.ts';
import { isInFlight } from '../runs/run.ts';
import { secondsLeft } from '../runs/time-left.ts';

export type RunOverview = {
  run: RunFor;
  suite: SuiteFor;
  counts: Record<ReviewSection, number>;
  total: number;
  /** Neither pending nor cancelled before they were captured. */
  settled: number;
  /** What an approval of all would approve. */
  unapproved: number;
  /** What an undo of all would take back. */
  undoable: number;
  /** Names, in the order of the run's config. */
  viewports: string[];
  /** Pages with an error at one viewport at least. */
  errorPaths: number;
  /** While in flight, from the pace so far; null where that says nothing. */
  secondsLeft: number | null;
  /** Whether the filter `sinceMine` has anything to hold against. */
  hasEarlierApprovalOfMine: boolean;
};

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** What stands above a run's results, with none of them loaded. */
export async function readRunOverview(ctx: Pick<Context, 'db' | 'clock'>, run: RunFor): Promise<RunOverview> {
  const { suite } = run;
  const [rows, hasEarlierApprovalOfMine] = await Promise.all([
    countSections(ctx.db, run),
    run.runType === 'PR' && hasApprovedEarlier(ctx.db, { run, viewerId: suite.viewer.id }),
  ]);
  const counts = countBySection(rows);
  const total = sum(rows.map((row) => row.results));
  const settled = total - counts.pending - counts.cancelled;
  return {
    run,
    suite,
    counts,
    total,
    settled,
    unapproved: sum(rows.map((row) => row.unapproved)),
    undoable: sum(rows.map((row) => row.undoable)),
    viewports: run.config.viewports.map(({ name }) => name),
    errorPaths: sum(rows.map((row) => row.errorPaths)),
    secondsLeft: isInFlight(run.status) ? secondsLeft(run, { settled, total }, ctx.clock.now()) : null,
    hasEarlierApprovalOfMine,
  };
}

/** Who approved how much of the run, the latest first. */
export async function listApprovers({ db }: Pick<Context, 'db'>, run: RunFor): Promise<Approver[]> {
  return findApprovers(db, run.id);
}
