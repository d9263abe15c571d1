import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { REVIEW_SECTIONS } from '../../review/list/review-section.ts';
import { SECTION_BADGES } from '../badge.ts';
import type { Field } from '../form-field.ts';
import { buildFields } from '../form-field.ts';
import { CAUSE_NAMES } from '../runs/cause-names.ts';
import { isFiltered } from '../runs/result-filter.ts';
import type { ReviewAddress } from './review-path.ts';
import { reviewPath } from './review-path.ts';

/** The filter of the list next to the screenshots. */
export type FilterForm = {
  action: string;
  fields: Record<'search' | 'section' | 'viewport' | 'unapproved', Field>;
  /** Null if every result that differs is a change. */
  cause: Field | null;
  /** Null if the viewer has not approved anything in this pull request before. */
  sinceMine: Field | null;
  /** Other query parameters, which the form preserves. */
  kept: { name: string; value: string }[];
  isOn: boolean;
  /** The URL without the filter. */
  clear: string;
};

const ALL = { value: '', label: 'All' };

export function filterForm(address: ReviewAddress, resultId: string, overview: RunOverview): FilterForm {
  const { filter, choice } = address;
  const sections = REVIEW_SECTIONS.filter((each) => overview.counts[each] > 0 || each === filter.section);
  const causes = overview.causes.map(({ cause }) => cause);
  const { sinceMine, cause, ...fields } = buildFields(
    {
      search: { label: 'Path contains', type: 'search', value: filter.search ?? null },
      section: {
        label: 'Result',
        type: 'select',
        value: filter.section ?? null,
        options: [ALL, ...sections.map((value) => ({ value, label: SECTION_BADGES[value].label }))],
      },
      cause: {
        label: 'Reason',
        type: 'select',
        value: filter.cause ?? null,
        options: [
          ALL,
          { value: 'CHANGE', label: 'Changed' },
          ...causes.map((value) => ({ value, label: CAUSE_NAMES[value] })),
        ],
      },
      viewport: {
        label: 'Viewport',
        type: 'select',
        value: filter.viewport ?? null,
        options: [ALL, ...overview.viewports.map((value) => ({ value, label: value }))],
      },
      unapproved: { label: 'Unapproved only', type: 'checkbox', checked: filter.unapproved ?? false },
      sinceMine: {
        label: 'Changed since your last approval',
        type: 'checkbox',
        checked: filter.sinceMine ?? false,
      },
    },
    null,
  );
  const kept = Object.entries(choice).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  return {
    action: `/runs/${address.runId}/results/${resultId}`,
    fields,
    cause: causes.length > 0 || filter.cause !== undefined ? cause : null,
    sinceMine: overview.hasEarlierApprovalOfMine ? sinceMine : null,
    kept,
    isOn: isFiltered(filter),
    clear: reviewPath({ ...address, filter: {} }, resultId),
  };
}
