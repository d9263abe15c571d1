import { assertNever } from '../errors.ts';
import type { PageResult } from '../runs/result.ts';

/** What a reviewer sees of a run, in the order in which it wants to be looked at. */
export const REVIEW_SECTIONS = ['changed', 'new', 'error', 'pending', 'passed', 'cancelled'] as const;
export type ReviewSection = (typeof REVIEW_SECTIONS)[number];

/** Results that want nothing of anybody: every list has them last, and folded. */
export const QUIET_SECTIONS = ['passed', 'cancelled'] as const satisfies ReviewSection[];

export function isQuiet(section: ReviewSection): boolean {
  return QUIET_SECTIONS.some((quiet) => quiet === section);
}

/** The column `page_results.review_rank` is the place of the same among `REVIEW_SECTIONS`: the database sorts by it. */
export function sectionOf({ status, isNew }: Pick<PageResult, 'status' | 'isNew'>): ReviewSection {
  switch (status) {
    case 'FAIL':
      return 'changed';
    case 'PASS':
      return isNew ? 'new' : 'passed';
    case 'ERROR':
      return 'error';
    case 'PENDING':
      return 'pending';
    case 'CANCELLED':
      return 'cancelled';
    default:
      return assertNever(status);
  }
}

/** From the counts of a store, which knows a section by its rank. */
export function countBySection(rows: { reviewRank: number; results: number }[]): Record<ReviewSection, number> {
  const counts = { changed: 0, new: 0, error: 0, pending: 0, passed: 0, cancelled: 0 };
  for (const { reviewRank, results } of rows) {
    const section = REVIEW_SECTIONS[reviewRank];
    if (section !== undefined) counts[section] = results;
  }
  return counts;
}
