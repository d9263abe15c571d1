import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { REVIEW_SECTIONS } from '../../review/list/review-section.ts';
import { SECTION_BADGES } from '../badge.ts';
import type { Field } from '../form-field.ts';
import { buildFields } from '../form-field.ts';
import { isFiltered } from '../runs/result-filter.ts';
import type { ReviewAddress } from './review-path.ts';
import { reviewPath } from './review-path.ts';

/** The filter of the list next to the screenshots. */
export type FilterForm = {
  action: string;
  fields: Record<'search' | 'section' | 'viewport' | 'unapproved', Field>;
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
  const { sinceMine, ...fields } = buildFields(
    {
      search: { label: 'Path contains', type: 'search', value: filter.search ?? null },
      section: {
        label: 'Result',
        type: 'select',
        value: filter.section ?? null,
        options: [ALL, ...sections.map((value) => ({ value, label: SECTION_BADGES[value].label }))],
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
    sinceMine: overview.hasEarlierApprovalOfMine ? sinceMine : null,
    kept,
    isOn: isFiltered(filter),
    clear: reviewPath({ ...address, filter: {} }, resultId),
  };
}
