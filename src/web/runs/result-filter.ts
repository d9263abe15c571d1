import { z } from 'zod';
import type { ReviewFilter } from '../../review/review-row.ts';
import { REVIEW_SECTIONS } from '../../review/review-section.ts';
import { SEARCH_MAX_LENGTH } from '../form-values.ts';
import { withQuery } from '../pager.ts';

/** Filter values that are not known are ignored, so that old links still work. */
const Text = z
  .string()
  .transform((text) => text.trim().slice(0, SEARCH_MAX_LENGTH) || undefined)
  .optional()
  .catch(undefined);

const Flag = z
  .unknown()
  .optional()
  .transform((value) => typeof value === 'string' && value !== '');

const shape = {
  section: z.enum(REVIEW_SECTIONS).optional().catch(undefined),
  viewport: Text,
  search: Text,
  unapproved: Flag,
  sinceMine: Flag,
};

/** The filter of a run's results as the addresses of the run and of the review carry it. */
export const ResultFilter = z.object(shape);

/** How many groups come before the first one shown. */
export const Offset = z.coerce.number().int().min(0).max(1_000_000).catch(0);

/** Where in a list, too. */
export const ResultPart = z.object({ ...shape, offset: Offset });

/** As entries of a query, for `withQuery`; null where the filter says nothing. */
export function filterQuery(filter: ReviewFilter): Record<keyof ReviewFilter, string | null> {
  return {
    section: filter.section ?? null,
    viewport: filter.viewport ?? null,
    search: filter.search ?? null,
    unapproved: filter.unapproved === true ? '1' : null,
    sinceMine: filter.sinceMine === true ? '1' : null,
  };
}

export function isFiltered(filter: ReviewFilter): boolean {
  return Object.values(filterQuery(filter)).some((value) => value !== null);
}

/**
 * The id of an element for a page or a result. A page with one viewport that changed has its other ones among those that
 * are folded below as well, so lists of a section have ids of their own.
 */
export function rowAnchor(what: 'page' | 'result', id: string, section: string | null): string {
  return section === null ? `${what}-${id}` : `${section}-${what}-${id}`;
}

/** The run's page with the list that the filter makes. */
export function runPath(runId: string, filter: ReviewFilter = {}): string {
  return withQuery(`/runs/${runId}`, filterQuery(filter));
}

/** The review of one result, with the list that the filter makes beside it. */
export function resultPath(runId: string, resultId: string, filter: ReviewFilter = {}): string {
  return withQuery(`/runs/${runId}/results/${resultId}`, filterQuery(filter));
}
