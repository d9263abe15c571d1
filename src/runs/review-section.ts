import { assertNever } from '../errors.ts';
import type { PageResult } from './result.ts';

/** What a reviewer sees of a run, in the order in which it wants to be looked at. */
export const REVIEW_SECTIONS = ['changed', 'new', 'error', 'pending', 'passed', 'cancelled'] as const;
export type ReviewSection = (typeof REVIEW_SECTIONS)[number];

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
