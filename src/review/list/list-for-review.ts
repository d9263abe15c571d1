import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { mayDecide, type RunFor } from '../../runs/read-run.ts';
import { REVIEW_SECTIONS, type ReviewSection } from '../../runs/results/result.ts';
import { findPagesOfRun, findReviewedResult, findReviewRows, findReviewRowsOfPage } from './review-row-store.ts';
import type { Part, ReviewedResult, ReviewFilter, ReviewGroup, ReviewHeading, ReviewRow } from './review-row.ts';
import { findEnds, findPlaces, findPlacesByPage, findWalk } from './review-walk-store.ts';

type Place = Awaited<ReturnType<typeof findPlaces>>[number];

function toHeading({ pageRank, pageCause }: Place): ReviewHeading {
  const section = REVIEW_SECTIONS[pageRank];
  if (section === undefined) throw new Error(`There is no section of rank ${pageRank}`);
  return { section, cause: section === 'uncounted' ? pageCause : null };
}

const toHeadings = (places: Place[]) => new Map(places.map((place) => [place.id, toHeading(place)]));

/**
 * Results of a run in review order: by page, viewports together. Pages with changes come first, beginning with the largest
 * change, then those that are new, have errors, are pending, not counted (by cause), unchanged and cancelled. An approval
 * does not move a result.
 */
export async function listReviewRows(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  filter: ReviewFilter,
  part: Part,
): Promise<ReviewRow[]> {
  return findReviewRows(db, toHeadings(await findPlaces(db, { run, filter }, part)));
}

/** How many results have no known change, how many of them await a decision, and the first of each. */
export async function readRest({ db }: Pick<Context, 'db'>, run: RunFor): ReturnType<typeof findEnds> {
  return findEnds(db, { run, filter: { rest: true } });
}

/** Pages of one list, and how many it has in all; 0 for a part that begins after the last page. */
export type GroupedPart = { groups: ReviewGroup[]; totalGroups: number };

type GroupedList = GroupedPart & {
  /** With the last part of a list that folds quiet sections: the first pages of each such section. */
  folded: (GroupedPart & { section: ReviewSection })[];
};

function groupByPage(rows: ReviewRow[], known: Awaited<ReturnType<typeof findPagesOfRun>>): ReviewGroup[] {
  const groups = new Map<string, ReviewGroup>();
  for (const row of rows) {
    const { path, heading } = row;
    const page = known.get(path) ?? null;
    const group = groups.get(path) ?? {
      path,
      title: page?.title ?? null,
      pageId: page?.id ?? null,
      heading,
      rows: [],
    };
    group.rows.push(row);
    groups.set(path, group);
  }
  return [...groups.values()];
}

/**
 * The same, grouped by page, with the results that match the filter.
 * @param part `folded`: how many pages of each quiet section are returned separately with the last part. Without it
 * nothing is folded.
 */
export async function listReviewGroups(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  filter: ReviewFilter,
  { folded: foldedLimit = null, ...part }: Part & { folded?: number | null },
): Promise<GroupedList> {
  const { main, folded } = await findPlacesByPage(db, { run, filter }, part, foldedLimit);
  const all = [main, ...folded.values()].flatMap(({ places }) => places);
  const paths = [...new Set(all.map(({ path }) => path))];
  const [rows, known] = await Promise.all([
    findReviewRows(db, toHeadings(all)),
    paths.length === 0 ? new Map<string, never>() : findPagesOfRun(db, run, paths),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const grouped = ({ places, pages }: typeof main): GroupedPart => ({
    groups: groupByPage(
      places.flatMap(({ id }) => byId.get(id) ?? []),
      known,
    ),
    totalGroups: pages,
  });
  return {
    ...grouped(main),
    folded: [...folded].flatMap(([section, found]) => (found.pages === 0 ? [] : [{ section, ...grouped(found) }])),
  };
}

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
