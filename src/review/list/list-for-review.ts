import type { Context } from '../../context.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { REVIEW_SECTIONS, type ReviewSection } from '../../runs/results/review-section.ts';
import { findPagesOfRun, findReviewRows } from './review-row-store.ts';
import type { Part, ReviewFilter, ReviewGroup, ReviewHeading, ReviewRow } from './review-row.ts';
import { findEnds, findPlaces, findPlacesByPage } from './review-walk-store.ts';

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
