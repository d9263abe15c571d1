import { may } from '../access/role.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../errors.ts';
import type { RunFor } from '../runs/read-run.ts';
import { isDecidable } from '../runs/run.ts';
import type { ReviewList } from './review-list-sql.ts';
import {
  countUpTo,
  findBefore,
  findNextInTurn,
  findReviewRowsOfPage,
  findReviewedResult,
  findRowsAfter,
} from './review-row-store.ts';
import type { ReviewFilter, ReviewPlace, ReviewRow, ReviewedResult } from './review-row.ts';
import type { ReviewSection } from './review-section.ts';
import { REVIEW_SECTIONS, countBySection } from './review-section.ts';

/** Whose pictures are loaded while this one is looked at. */
const AHEAD = 2;

/** Ids of results, in the order of the list; null: there is none that way. */
type Neighbours = {
  previous: string | null;
  next: string | null;
  previousChanged: string | null;
  nextChanged: string | null;
};

export type ReviewResult = {
  result: ReviewedResult;
  /** Every result of the page in the run, this one too, in the order of the run's viewports; whatever the filter. */
  ofSamePage: ReviewRow[];
  /** From 1; null when the filter does not let the result through. */
  place: number | null;
  /** How many results the filter lets through, of each section. */
  counts: Record<ReviewSection, number>;
  total: number;
  neighbours: Neighbours;
  ahead: ReviewRow[];
  /**
   * Where to go once the result is approved: the next that can be, from the top again after the last. Null when there is
   * none, or nothing can be approved now, or not by the viewer.
   */
  nextUnapproved: string | null;
};

const CHANGED = REVIEW_SECTIONS.indexOf('changed');

/** What changed comes first in every list, so that most of it is seen at the nearest rows. */
async function findPreviousChanged(db: Db, list: ReviewList, place: ReviewPlace, previous: PreviousRow) {
  if (previous === null || previous.reviewRank === CHANGED) return previous?.id ?? null;
  const { section } = list.filter;
  if (section !== undefined) return null;
  return (await findBefore(db, { ...list, filter: { ...list.filter, section: 'changed' } }, place))?.id ?? null;
}

type PreviousRow = Awaited<ReturnType<typeof findBefore>>;

async function findNeighbours(db: Db, list: ReviewList, place: ReviewPlace) {
  const [ahead, previous] = await Promise.all([findRowsAfter(db, list, place, AHEAD), findBefore(db, list, place)]);
  const [next] = ahead;
  const neighbours: Neighbours = {
    previous: previous?.id ?? null,
    next: next?.id ?? null,
    previousChanged: await findPreviousChanged(db, list, place, previous),
    nextChanged: next?.section === 'changed' ? next.id : null,
  };
  return { neighbours, ahead };
}

async function findNextUnapproved(db: Db, run: RunFor, list: ReviewList, result: ReviewedResult) {
  if (!isDecidable(run.status) || !may(run.suite.access.role, 'suite.approve')) return null;
  return findNextInTurn(db, { ...list, filter: { ...list.filter, unapproved: true } }, result);
}

/**
 * One result of a run with its surroundings in the list that the filter makes, also where the result itself is not in
 * it: what was just approved still leads on to the next that is not.
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
  const list = { run, viewerId: run.suite.viewer.id, filter };
  const [sections, surroundings, ofSamePage, nextUnapproved] = await Promise.all([
    countUpTo(db, list, result),
    findNeighbours(db, list, result),
    findReviewRowsOfPage(db, run.id, result.path),
    findNextUnapproved(db, run, list, result),
  ]);
  const isListed = sections.some((section) => section.isListed);
  const sum = (of: (section: (typeof sections)[number]) => number) => sections.reduce((all, each) => all + of(each), 0);
  return {
    result,
    ofSamePage,
    place: isListed ? sum(({ upTo }) => upTo) : null,
    counts: countBySection(sections),
    total: sum(({ results }) => results),
    nextUnapproved,
    ...surroundings,
  };
}
