import { z } from 'zod';
import type { Viewer } from '../../auth/viewer.ts';
import { AWAITING_REVIEW } from '../../runs/list-runs.ts';
import type { RunFilter } from '../../runs/run-list.ts';
import { SEARCH_MAX_LENGTH } from '../../runs/run-search.ts';
import { BRANCH_MAX_LENGTH, IN_FLIGHT, REVIEW_STATES, RUN_STATUSES, RUN_TYPES } from '../../runs/run.ts';
import type { Field } from '../form-field.ts';
import { buildFields } from '../form-field.ts';

const text = (most: number) =>
  z
    .string()
    .transform((value) => value.trim().slice(0, most) || undefined)
    .optional()
    .catch(undefined);

/** The filter in the URL of a list of runs. Unknown values are ignored. */
export const runFilterShape = {
  status: z
    .enum(['IN_FLIGHT', ...RUN_STATUSES])
    .optional()
    .catch(undefined),
  type: z.enum(RUN_TYPES).optional().catch(undefined),
  /** `MINE`: only what the viewer may approve. `ASSIGNED`: only what is assigned to them. */
  review: z
    .enum(['ASSIGNED', 'MINE', ...REVIEW_STATES])
    .optional()
    .catch(undefined),
  branch: text(BRANCH_MAX_LENGTH),
  /** Whose runs: an account's id, or `me`. */
  by: z
    .union([z.literal('me'), z.uuid()])
    .optional()
    .catch(undefined),
  search: text(SEARCH_MAX_LENGTH),
};
const Chosen = z.object(runFilterShape);
export type ChosenRuns = z.output<typeof Chosen>;

const ANY = { value: '', label: 'Any' };

const STATUSES = [
  ANY,
  { value: 'IN_FLIGHT', label: 'Running' },
  { value: 'COMPLETED', label: 'Completed' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'CANCELLED', label: 'Cancelled' },
];
const TYPES = [
  ANY,
  { value: 'PR', label: 'Pull request' },
  { value: 'BRANCH', label: 'Branch preview' },
  { value: 'MANUAL', label: 'Site run' },
];
const REVIEWS = [
  ANY,
  { value: 'ASSIGNED', label: 'Waiting for me' },
  { value: 'MINE', label: 'Awaiting my review' },
  { value: 'PENDING', label: 'Review required' },
  { value: 'APPROVED', label: 'Approved' },
  { value: 'NOT_REQUIRED', label: 'No changes' },
];

/** A pending review means the same runs that the dashboard counts, unless a status is selected. */
export function toRunFilter({ status, type, review, branch, by, search }: ChosenRuns, viewer: Viewer): RunFilter {
  const statuses = status === undefined ? undefined : status === 'IN_FLIGHT' ? IN_FLIGHT : [status];
  const startedById = by === 'me' ? viewer.id : by;
  const reviewState = review === 'MINE' || review === 'ASSIGNED' ? 'PENDING' : review;
  const assigneeId = review === 'ASSIGNED' ? viewer.id : undefined;
  const filter = { statuses, runType: type, reviewState, branch, startedById, assigneeId, search };
  return reviewState === 'PENDING' && statuses === undefined ? { ...filter, ...AWAITING_REVIEW } : filter;
}

/** @param people those to choose from, besides the viewer */
export function runFilterFields(
  { status, type, review, branch, by, search }: ChosenRuns,
  people: { id: string; name: string }[] = [],
): Record<keyof ChosenRuns, Field> {
  const others = people.map(({ id, name }) => ({ value: id, label: name }));
  const unlisted =
    by === undefined || by === 'me' || people.some(({ id }) => id === by) ? [] : [{ value: by, label: 'Someone else' }];
  return buildFields(
    {
      search: {
        label: 'Search',
        type: 'search',
        value: search ?? '',
        attributes: { placeholder: 'Number, commit, pull request, branch', maxlength: SEARCH_MAX_LENGTH },
      },
      status: { label: 'Status', type: 'select', value: status ?? '', options: STATUSES },
      type: { label: 'Type', type: 'select', value: type ?? '', options: TYPES },
      review: { label: 'Review', type: 'select', value: review ?? '', options: REVIEWS },
      branch: {
        label: 'Branch',
        value: branch ?? '',
        attributes: { maxlength: BRANCH_MAX_LENGTH, spellcheck: 'false' },
      },
      by: {
        label: 'Started by',
        type: 'select',
        value: by ?? '',
        options: [{ value: '', label: 'Anyone' }, { value: 'me', label: 'Me' }, ...others, ...unlisted],
      },
    },
    null,
  );
}

export const isAnyChosen = (chosen: ChosenRuns): boolean => Object.values(chosen).some((value) => value !== undefined);
