import { z } from 'zod';
import type { ReviewFilter } from '../../review/list/review-row.ts';
import { Id } from '../form-values.ts';
import { withQuery } from '../pager.ts';
import { filterQuery } from '../runs/result-filter.ts';
import type { Choice } from './view-mode.ts';

export const ResultParams = z.object({ id: Id, resultId: Id });

/** What is open beside the screenshots. */
export const PANELS = ['notes', 'comments', 'ignore'] as const;
type Panel = (typeof PANELS)[number];

/** The parts of a review's URLs that stay the same from result to result. `change`: the key of the one that is looked at. */
export type ReviewAddress = {
  runId: string;
  change: string | null;
  filter: ReviewFilter;
  choice: Choice;
  panel: Panel | null;
};

/**
 * `list`, `until`: the list beside the result from and to a place, from 0, exclusive. `judging`: an open page polls this while
 * its result is judged again.
 */
type Extra = { list?: number; until?: number | null; judging?: 'wait' };

export function reviewPath(address: ReviewAddress, resultId: string, extra: Extra = {}): string {
  const { runId, change, filter, choice, panel } = address;
  const query = { change, ...filterQuery(filter), ...choice, panel, ...extra };
  return withQuery(`/runs/${runId}/results/${resultId}`, query);
}

/** The screenshots as they are, neither lined up nor folded. Places are told in px of these. */
export function plainAddress(address: ReviewAddress): ReviewAddress {
  return { ...address, choice: { ...address.choice, view: 'plain', fold: null } };
}
