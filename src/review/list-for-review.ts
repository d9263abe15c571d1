import type { Context } from '../context.ts';
import type { RunFor } from '../runs/read-run.ts';
import { countReviewGroups, findReviewGroups } from './review-group-store.ts';
import type { GroupRow } from './review-group-store.ts';
import { countReviewRows, findReviewRows, findReviewRowsOfPaths } from './review-row-store.ts';
import type { ReviewList } from './review-row-store.ts';
import type { Part, ReviewFilter, ReviewGroup, ReviewRow } from './review-row.ts';
import { REVIEW_SECTIONS } from './review-section.ts';

const listOf = (run: RunFor, filter: ReviewFilter): ReviewList => ({ run, viewerId: run.suite.viewer.id, filter });

/**
 * Results of a run in the order of a review: the most changed first, then new, errors, pending, passed and cancelled
 * ones, each in the order of the run. What is approved keeps its place.
 */
export async function listReviewRows(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  filter: ReviewFilter,
  part: Part,
): Promise<{ rows: ReviewRow[]; total: number }> {
  const list = listOf(run, filter);
  const [rows, total] = await Promise.all([findReviewRows(db, list, part), countReviewRows(db, list)]);
  return { rows, total };
}

function groupOf({ reviewRank, ...page }: GroupRow): ReviewGroup {
  const section = REVIEW_SECTIONS[reviewRank];
  if (section === undefined) throw new Error(`There is no section of rank ${reviewRank}`);
  return { ...page, section, rows: [] };
}

/** The same by page: pages in the order of their best-placed result, of each the results that the filter lets through. */
export async function listReviewGroups(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  filter: ReviewFilter,
  part: Part,
): Promise<{ groups: ReviewGroup[]; totalGroups: number }> {
  const list = listOf(run, filter);
  const [found, totalGroups] = await Promise.all([
    findReviewGroups(ctx.db, list, part),
    countReviewGroups(ctx.db, list),
  ]);
  const groups = new Map(found.map((row) => [row.path, groupOf(row)]));
  for (const row of await findReviewRowsOfPaths(ctx.db, list, [...groups.keys()])) groups.get(row.path)?.rows.push(row);
  // A result may have moved to another section between the two reads.
  return { groups: [...groups.values()].filter((group) => group.rows.length > 0), totalGroups };
}
