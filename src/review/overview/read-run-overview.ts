import type { Context } from '../../context.ts';
import type { RunFor } from '../../runs/read-run.ts';
import {
  countBySection,
  OTHER_CAUSES,
  REVIEW_SECTIONS,
  type OtherCause,
  type ReviewSection,
} from '../../runs/results/result.ts';
import { isInFlight, type Run } from '../../runs/run.ts';
import { countUndoable } from '../approval/approval-store.ts';
import { hasApprovedEarlier } from '../list/review-row-store.ts';
import { countSections, findApprovers, type Approver, type SectionCount } from './overview-store.ts';

export type RunOverview = {
  run: RunFor;
  counts: Record<ReviewSection, number>;
  /** How many results differ for each cause other than a change, in order, without empty ones. */
  causes: { cause: OtherCause; results: number }[];
  total: number;
  /** Results that are neither pending nor cancelled. */
  settled: number;
  /** How many results "approve all" would approve. */
  unapproved: number;
  /** How many of those are undecided, and how many results need a decision in total. */
  undecided: number;
  toDecide: number;
  /** How many results have an approval, and how many of those "undo all" would undo. */
  approved: number;
  undoable: number;
  /** How many results wait for an approval because preview and site may be one server. */
  doubted: number;
  /** Names, in the order of the run's config. */
  viewports: string[];
  /** Pages with an error at one or more viewports. */
  errorPaths: number;
  /** Estimated from the pace so far. Null when the run is not in flight, or too few results are settled. */
  secondsLeft: number | null;
  /** Whether the filter `sinceMine` can be used: the viewer approved something in an earlier run. */
  hasEarlierApprovalOfMine: boolean;
};

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

function countCauses(rows: SectionCount[]): RunOverview['causes'] {
  const uncounted = rows.filter(({ reviewRank }) => REVIEW_SECTIONS[reviewRank] === 'uncounted');
  return OTHER_CAUSES.flatMap((cause) => {
    const found = uncounted.find((row) => row.cause === cause);
    return found === undefined ? [] : [{ cause, results: found.results }];
  });
}

/** With fewer results the estimate would be wrong, because the first ones wait for the browser to start. */
const ENOUGH = 3;

/**
 * Seconds until a run in flight ends, if it continues at the same pace. Null while too few results are settled. Also
 * null when errors are being re-run: the time since the start then includes the pause after the run had ended.
 */
export function secondsLeft(
  run: Pick<Run, 'startedAt' | 'metadata'>,
  { settled, total }: { settled: number; total: number },
  now: Date,
): number | null {
  if (run.startedAt === null || run.metadata !== null || settled < ENOUGH) return null;
  const seconds = Math.max(0, now.getTime() - run.startedAt.getTime()) / 1000;
  return Math.ceil((seconds / settled) * (total - settled));
}

/** The summary above a run's results. It loads none of them. */
export async function readRunOverview(ctx: Pick<Context, 'db' | 'clock'>, run: RunFor): Promise<RunOverview> {
  const [rows, hasEarlierApprovalOfMine] = await Promise.all([
    countSections(ctx.db, run),
    run.runType === 'PR' && hasApprovedEarlier(ctx.db, run),
  ]);
  const approved = sum(rows.map((row) => row.approved));
  const undoable = approved === 0 ? 0 : await countUndoable(ctx.db, run);
  const counts = countBySection(rows);
  const total = sum(rows.map((row) => row.results));
  const settled = total - counts.pending - counts.cancelled;
  return {
    run,
    counts,
    causes: countCauses(rows),
    total,
    settled,
    unapproved: sum(rows.map((row) => row.unapproved)),
    undecided: sum(rows.map((row) => row.undecided)),
    toDecide: counts.changed + (run.runType === 'MANUAL' ? 0 : counts.new),
    approved,
    undoable,
    doubted: sum(rows.map((row) => row.doubted)),
    viewports: run.config.viewports.map(({ name }) => name),
    errorPaths: sum(rows.map((row) => row.errorPaths)),
    secondsLeft: isInFlight(run.status) ? secondsLeft(run, { settled, total }, ctx.clock.now()) : null,
    hasEarlierApprovalOfMine,
  };
}

/** The approvers of the run with their number of approvals, the latest first. */
export async function listApprovers(
  { db }: Pick<Context, 'db'>,
  { run, approved }: Pick<RunOverview, 'run' | 'approved'>,
): Promise<Approver[]> {
  return approved === 0 ? [] : findApprovers(db, run.id);
}
