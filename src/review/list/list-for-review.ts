import type { Context } from '../../context.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { ReviewList } from './review-list-sql.ts';
import { findPagesOfRun, findReviewRows } from './review-row-store.ts';
import type { Part, ReviewFilter, ReviewGroup, ReviewHeading, ReviewRow } from './review-row.ts';
import type { ReviewSection } from './review-section.ts';
import { REVIEW_SECTIONS } from './review-section.ts';
import { findPlaces, findPlacesByPage } from './review-walk-store.ts';

const toReviewList = (run: RunFor, filter: ReviewFilter): ReviewList => ({
  run,
  viewerId: run.suite.viewer.id,
  filter,
});

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
  return findReviewRows(db, toHeadings(await findPlaces(db, toReviewList(run, filter), part)));
}

/** The result at which a review begins: the first one that awaits a decision. Null when none does. */
export async function findFirstUndecided({ db }: Pick<Context, 'db'>, run: RunFor): Promise<string | null> {
  const [first] = await findPlaces(db, { ...toReviewList(run, {}), undecided: true }, { limit: 1, offset: 0 });
  return first?.id ?? null;
}

/**
 * The same, grouped by page, with the results that match the filter.
 * @param pageSection only pages whose first result is in this section.
 * @returns `totalGroups`: the number of all pages; 0 for a part that begins after the last page.
 */
export async function listReviewGroups(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  filter: ReviewFilter,
  part: Part,
  pageSection: ReviewSection | null = null,
): Promise<{ groups: ReviewGroup[]; totalGroups: number }> {
  const { places, pages } = await findPlacesByPage(db, toReviewList(run, filter), part, pageSection);
  const paths = [...new Set(places.map(({ path }) => path))];
  const [rows, known] = await Promise.all([
    findReviewRows(db, toHeadings(places)),
    paths.length === 0 ? new Map<string, never>() : findPagesOfRun(db, run, paths),
  ]);
  const groups = new Map<string, ReviewGroup>();
  for (const row of rows) {
    const { path, heading } = row;
    const page = known.get(path) ?? null;
    const group = groups.get(path) ?? {
      path,
      title: page?.title ?? null,
      pageId: page?.id ?? null,
      section: heading.section,
      heading,
      rows: [],
    };
    group.rows.push(row);
    groups.set(path, group);
  }
  return { groups: [...groups.values()], totalGroups: pages };
}
