import { may } from '../../access/role.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { notFound } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { isDecidable } from '../../runs/run.ts';
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

/** How many following results the browser preloads. */
const AHEAD = 2;

/** Ids of results, in the order of the list; null at the end of the list. */
type Neighbors = {
  previous: string | null;
  next: string | null;
  previousChanged: string | null;
  nextChanged: string | null;
};

export type ReviewResult = {
  result: ReviewedResult;
  /** All results of the page in the run, including this one, in the order of the run's viewports. Not filtered. */
  ofSamePage: ReviewRow[];
  /** Position in the filtered list, from 1; null when the result does not match the filter. */
  place: number | null;
  /** How many results of each section match the filter. */
  counts: Record<ReviewSection, number>;
  total: number;
  neighbors: Neighbors;
  ahead: ReviewRow[];
  /**
   * The result to open after this one is approved: the next one that can be approved; after the last, the first. Null
   * when there is none, when the run cannot be approved now, and when the viewer may not approve.
   */
  nextUnapproved: string | null;
};

const CHANGED = REVIEW_SECTIONS.indexOf('changed');

/** Changed results come first in every list, so the nearest rows usually answer this without another query. */
async function findPreviousChanged(db: Db, list: ReviewList, place: ReviewPlace, previous: PreviousRow) {
  if (previous === null || previous.reviewRank === CHANGED) return previous?.id ?? null;
  const { section } = list.filter;
  if (section !== undefined) return null;
  return (await findBefore(db, { ...list, filter: { ...list.filter, section: 'changed' } }, place))?.id ?? null;
}

type PreviousRow = Awaited<ReturnType<typeof findBefore>>;

async function findNeighbors(db: Db, list: ReviewList, place: ReviewPlace) {
  const [ahead, previous] = await Promise.all([findRowsAfter(db, list, place, AHEAD), findBefore(db, list, place)]);
  const [next] = ahead;
  const neighbors: Neighbors = {
    previous: previous?.id ?? null,
    next: next?.id ?? null,
    previousChanged: await findPreviousChanged(db, list, place, previous),
    nextChanged: next?.section === 'changed' ? next.id : null,
  };
  return { neighbors, ahead };
}

async function findNextUnapproved(db: Db, run: RunFor, list: ReviewList, result: ReviewedResult) {
  if (!isDecidable(run.status) || !may(run.suite.access.role, 'suite.approve')) return null;
  return findNextInTurn(db, { ...list, filter: { ...list.filter, unapproved: true } }, result);
}

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
  const list = { run, viewerId: run.suite.viewer.id, filter };
  const [sections, surroundings, ofSamePage, nextUnapproved] = await Promise.all([
    countUpTo(db, list, result),
    findNeighbors(db, list, result),
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
