import type { Context } from '../../context.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { findGroupedRows } from './review-group-store.ts';
import type { GroupedRow } from './review-group-store.ts';
import type { ReviewList } from './review-list-sql.ts';
import { findReviewRows } from './review-row-store.ts';
import type { Part, ReviewFilter, ReviewGroup, ReviewRow } from './review-row.ts';
import type { ReviewSection } from './review-section.ts';
import { REVIEW_SECTIONS, findSection } from './review-section.ts';

const toReviewList = (run: RunFor, filter: ReviewFilter): ReviewList => ({
  run,
  viewerId: run.suite.viewer.id,
  filter,
});

/**
 * Results of a run in review order: changed ones first, beginning with the largest change, then new, errors, pending,
 * passed and cancelled ones, each in the order of the run. An approval does not move a result.
 */
export async function listReviewRows(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  filter: ReviewFilter,
  part: Part,
): Promise<ReviewRow[]> {
  return findReviewRows(db, toReviewList(run, filter), part);
}

function sectionAt(rank: number): ReviewSection {
  const section = REVIEW_SECTIONS[rank];
  if (section === undefined) throw new Error(`There is no section of rank ${rank}`);
  return section;
}

function groupRows(rows: GroupedRow[]): ReviewGroup[] {
  const groups = new Map<string, ReviewGroup>();
  for (const { title, pageId, groupRank, groups: _total, ...row } of rows) {
    const { path } = row;
    const group = groups.get(path) ?? { path, title, pageId, section: sectionAt(groupRank), rows: [] };
    group.rows.push({ ...row, section: findSection(row) });
    groups.set(path, group);
  }
  return [...groups.values()];
}

/**
 * The same, grouped by page. A page comes where its first result would come, with the results that match the filter.
 * @returns `totalGroups`: the number of all pages; 0 for a part that begins after the last page.
 */
export async function listReviewGroups(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  filter: ReviewFilter,
  part: Part,
): Promise<{ groups: ReviewGroup[]; totalGroups: number }> {
  const rows = await findGroupedRows(db, toReviewList(run, filter), part);
  return { groups: groupRows(rows), totalGroups: rows[0]?.groups ?? 0 };
}
