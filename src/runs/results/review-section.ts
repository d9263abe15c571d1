import { assertNever } from '../../errors.ts';
import { isChanged, type PageResult } from './result.ts';

/** The sections of a review, in the order in which a reviewer should look at them. */
export const REVIEW_SECTIONS = ['changed', 'new', 'error', 'pending', 'uncounted', 'passed', 'cancelled'] as const;
export type ReviewSection = (typeof REVIEW_SECTIONS)[number];

/** The place of a section in that order, by which the database sorts: `page_results.review_rank`. */
export const rankSection = (section: ReviewSection): number => REVIEW_SECTIONS.indexOf(section);

/** Results that need no attention: every list has them last, and folded. */
export const QUIET_SECTIONS = ['uncounted', 'passed', 'cancelled'] as const satisfies ReviewSection[];

export function isQuiet(section: ReviewSection): boolean {
  return QUIET_SECTIONS.some((quiet) => quiet === section);
}

/** The column `review_rank` is the rank of the same section (`migrations/006-results.ts`). */
export function findSection(result: Pick<PageResult, 'status' | 'cause' | 'isNew'>): ReviewSection {
  const { status, isNew } = result;
  switch (status) {
    case 'FAIL':
      return isChanged(result) ? 'changed' : 'uncounted';
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

/** Turns counts by rank, as stores return them, into counts by section. Several of one rank are added. */
export function countBySection(rows: { reviewRank: number; results: number }[]): Record<ReviewSection, number> {
  const counts = { changed: 0, new: 0, error: 0, pending: 0, uncounted: 0, passed: 0, cancelled: 0 };
  for (const { reviewRank, results } of rows) {
    const section = REVIEW_SECTIONS[reviewRank];
    if (section !== undefined) counts[section] += results;
  }
  return counts;
}
