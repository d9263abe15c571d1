import { z } from 'zod';
import { ownPath } from '../../../http/own-path.ts';
import type { ReviewFilter } from '../../../review/list/review-row.ts';
import { CAUSES, REVIEW_SECTIONS } from '../../../runs/results/result.ts';
import { SEARCH_MAX_LENGTH } from '../../../runs/search/run-search.ts';
import { typedNumber } from '../../../text/typed-number.ts';
import type { Choice } from '../../comparison/view-mode.ts';
import { queryText } from '../../form-field.ts';
import { isAnySet, withQuery } from '../../web-route.ts';

/** Where a form of a run redirects to: the page that the person came from, otherwise the run. */
export function backTo(back: string | undefined, runId: string): string {
  return back === undefined ? `/runs/${runId}` : ownPath(back);
}

const Flag = z
  .unknown()
  .optional()
  .transform((value) => typeof value === 'string' && value !== '');

/** Unknown values are ignored, so that old links still work. */
const shape = {
  section: z.enum(REVIEW_SECTIONS).optional().catch(undefined),
  cause: z.enum(CAUSES).optional().catch(undefined),
  viewport: queryText(SEARCH_MAX_LENGTH),
  search: queryText(SEARCH_MAX_LENGTH),
  unapproved: Flag,
  sinceMine: Flag,
  rest: Flag,
};

/** The filter of a run's results, in the URLs of the run and of the review. */
export const ResultFilter = z.object(shape);

/** How many groups come before the first one shown. */
export const Offset = typedNumber(0, 1_000_000).catch(0);

/** The filter, and the place in the list. */
export const ResultPart = z.object({ ...shape, offset: Offset });

/** The URL of the run's page: without a filter its changes, otherwise the filtered list by page. */
export function runPath(runId: string, filter: ReviewFilter = {}): string {
  return withQuery(`/runs/${runId}`, { view: isAnySet(filter) ? 'pages' : null, ...filter });
}

/** The URL of the review of one result, with the filtered list next to it. */
export function resultPath(runId: string, resultId: string, filter: ReviewFilter = {}): string {
  return withQuery(`/runs/${runId}/results/${resultId}`, filter);
}

/** The panel that is open beside the screenshots. */
export const PANELS = ['notes', 'comments', 'ignore'] as const;
type Panel = (typeof PANELS)[number];

/** The parts of a review's URLs that stay the same from result to result. `change`: the key of the open change. */
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
  return withQuery(`/runs/${runId}/results/${resultId}`, { change, ...filter, ...choice, panel, ...extra });
}

/** The original screenshots, neither lined up nor folded. Positions are in px of these. */
export function plainAddress(address: ReviewAddress): ReviewAddress {
  return { ...address, choice: { ...address.choice, view: 'plain', fold: null } };
}
