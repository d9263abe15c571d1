import { may } from '../../access/role.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { isDecidable } from '../../runs/run.ts';
import { findReviewedResult, findReviewRowsOfPage } from './review-row-store.ts';
import type { ReviewedResult, ReviewFilter, ReviewRow } from './review-row.ts';
import { findWalk } from './review-walk-store.ts';

/**
 * Ids of results, in the order of the list; null at the end of the list. `Loud`: results that need somebody's
 * attention.
 */
type Neighbors = { previous: string | null; next: string | null; previousLoud: string | null; nextLoud: string | null };

export type ReviewResult = {
  result: ReviewedResult;
  /** All results of the page in the run, including this one, in the order of the run's viewports. Not filtered. */
  ofSamePage: Omit<ReviewRow, 'heading'>[];
  /** Position in the filtered list, from 1; null when the result does not match the filter. */
  place: number | null;
  /** How many results match the filter. */
  total: number;
  /** How many of them are on pages that need attention. Those come first. */
  inMain: number;
  neighbors: Neighbors;
  /** Images of the result that comes next. */
  ahead: string[];
  /**
   * The result to open after this one is approved: the next one that awaits a decision; after the last, the first. Null
   * when there is none, when the run cannot be approved now, and when the viewer may not approve.
   */
  nextUnapproved: string | null;
};

const mayDecide = (run: RunFor) => isDecidable(run.status) && may(run.suite.access.role, 'suite.approve');

/**
 * One result of a run with its neighbors in the filtered list. The result itself need not match the filter: from a
 * result that was just approved, people can still go to the next unapproved one.
 * @throws AppError not_found, also for a result of another run.
 */
export async function readReviewResult(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  resultId: string,
  filter: ReviewFilter,
): Promise<ReviewResult> {
  const result = await findReviewedResult(db, run, resultId);
  if (result === null) throw notFound('Result');
  const [{ total, inMain, place, steps }, ofSamePage] = await Promise.all([
    findWalk(db, { run, filter }, resultId),
    findReviewRowsOfPage(db, run.id, result.path),
  ]);
  const step = (what: (typeof steps)[number]['what']) => steps.find((each) => each.what === what)?.id ?? null;
  return {
    result,
    ofSamePage,
    place,
    total,
    inMain,
    neighbors: {
      previous: step('previous'),
      next: step('next'),
      previousLoud: step('previousLoud'),
      nextLoud: step('nextLoud'),
    },
    ahead: steps.flatMap(({ images }) => images),
    nextUnapproved: mayDecide(run) ? step('nextUndecided') : null,
  };
}
