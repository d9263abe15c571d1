import { findAccountById } from '../auth/find-account.ts';
import type { UserSummary } from '../auth/user.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../errors.ts';
import type { RunFor } from '../runs/read-run.ts';
import { findResult } from '../runs/result-store.ts';
import type { PageResult } from '../runs/result.ts';
import {
  countReviewRows,
  countUpTo,
  findIdBefore,
  findPlace,
  findReviewRowsOfPaths,
  findRowsAfter,
} from './review-row-store.ts';
import type { ReviewList, ReviewPlace } from './review-row-store.ts';
import type { ReviewFilter, ReviewRow } from './review-row.ts';

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
  result: PageResult & { approvedBy: UserSummary | null };
  /** Number of the version that it was compared with. */
  baselineVersion: number | null;
  /** Null when it was deleted since; the title too, when no crawl has read one. */
  page: { id: string; title: string | null } | null;
  /** Every result of the page in the run, this one too, in the order of the run's viewports; whatever the filter. */
  ofSamePage: ReviewRow[];
  /** From 1; null when the filter does not let the result through. */
  place: number | null;
  /** How many results the filter lets through. */
  total: number;
  neighbours: Neighbours;
  ahead: ReviewRow[];
};

async function around(db: Db, list: ReviewList, place: ReviewPlace) {
  const { section } = list.filter;
  const isChanged = section === undefined || section === 'changed';
  const changed: ReviewList = { ...list, filter: { ...list.filter, section: 'changed' } };
  const [ahead, previous, changedAhead, previousChanged] = await Promise.all([
    findRowsAfter(db, list, place, AHEAD),
    findIdBefore(db, list, place),
    isChanged ? findRowsAfter(db, changed, place, 1) : [],
    isChanged ? findIdBefore(db, changed, place) : null,
  ]);
  const neighbours: Neighbours = {
    previous,
    next: ahead[0]?.id ?? null,
    previousChanged,
    nextChanged: changedAhead[0]?.id ?? null,
  };
  return { neighbours, ahead };
}

/**
 * One result of a run with its surroundings in the list that the filter makes, also where the result itself is not in
 * it: what was just approved still leads on to the next that is not.
 * @throws AppError not_found, also for a result of another run.
 */
export async function readReviewResult(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  resultId: string,
  filter: ReviewFilter,
): Promise<ReviewResult> {
  const { db } = ctx;
  const [result, place] = await Promise.all([findResult(db, resultId), findPlace(db, run, resultId)]);
  if (result === null || place === null) throw notFound('Result');
  const list = { run, viewerId: run.suite.viewer.id, filter };
  const [approvedBy, { before, isListed }, total, surroundings, ofSamePage] = await Promise.all([
    result.approvedById === null ? null : findAccountById(ctx, result.approvedById),
    countUpTo(db, list, place),
    countReviewRows(db, list),
    around(db, list, place),
    findReviewRowsOfPaths(db, { ...list, filter: {} }, [result.path]),
  ]);
  return {
    result: { ...result, approvedBy },
    baselineVersion: place.baselineVersion,
    page: place.pageId === null ? null : { id: place.pageId, title: place.pageTitle },
    ofSamePage,
    place: isListed ? before + 1 : null,
    total,
    ...surroundings,
  };
}
