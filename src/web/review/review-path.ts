import type { ReviewFilter } from '../../review/review-row.ts';
import { withQuery } from '../pager.ts';
import { filterQuery } from '../runs/result-filter.ts';
import type { Choice } from './view-mode.ts';

/** What the addresses of one review keep from result to result. */
export type ReviewAddress = { runId: string; filter: ReviewFilter; choice: Choice };

export function reviewPath({ runId, filter, choice }: ReviewAddress, resultId: string): string {
  return withQuery(`/runs/${runId}/results/${resultId}`, { ...filterQuery(filter), ...choice });
}

/** The same with the list beside it beginning at a place, from 0; `until` is the first that is no longer wanted. */
export function listPath(address: ReviewAddress, resultId: string, list: number, until: number | null = null): string {
  const { runId, filter, choice } = address;
  return withQuery(`/runs/${runId}/results/${resultId}`, { ...filterQuery(filter), ...choice, list, until });
}
