import { z } from 'zod';
import type { ReviewFilter } from '../../review/list/review-row.ts';
import { Id } from '../form-values.ts';
import { withQuery } from '../pager.ts';
import { filterQuery } from '../runs/result-filter.ts';
import type { Choice } from './view-mode.ts';

export const ResultParams = z.object({ id: Id, resultId: Id });

/** The parts of a review's URLs that stay the same from result to result. */
export type ReviewAddress = { runId: string; filter: ReviewFilter; choice: Choice };

export function reviewPath({ runId, filter, choice }: ReviewAddress, resultId: string): string {
  return withQuery(`/runs/${runId}/results/${resultId}`, { ...filterQuery(filter), ...choice });
}

/**
 * The same URL, with the list next to the result starting at the given place, from 0. `until` is the place where it
 * ends, exclusive.
 */
export function listPath(address: ReviewAddress, resultId: string, list: number, until: number | null = null): string {
  const { runId, filter, choice } = address;
  return withQuery(`/runs/${runId}/results/${resultId}`, { ...filterQuery(filter), ...choice, list, until });
}

/** The same URL, with the forms to ignore something about the result. */
export function ignorePath({ runId, filter, choice }: ReviewAddress, resultId: string): string {
  const query = { ...filterQuery(filter), ...choice, ignore: 'open' };
  return withQuery(`/runs/${runId}/results/${resultId}`, query);
}

/** The same URL, with the comments on the result. */
export function commentsPath({ runId, filter, choice }: ReviewAddress, resultId: string): string {
  const query = { ...filterQuery(filter), ...choice, comments: 'open' };
  return withQuery(`/runs/${runId}/results/${resultId}`, query);
}

/** The URL that an open page polls while its result is judged again. It leads to the result once that is done. */
export function judgingPath({ runId, filter, choice }: ReviewAddress, resultId: string): string {
  const query = { ...filterQuery(filter), ...choice, judging: 'wait' };
  return withQuery(`/runs/${runId}/results/${resultId}`, query);
}
