import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import type { ReviewedResult } from '../../review/list/review-row.ts';
import { isChanged } from '../../runs/results/result.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { Field } from '../form-field.ts';
import { buildFields } from '../form-field.ts';
import { listPermissions } from '../permissions.ts';

export const EXPIRIES = ['never', '7', '30', '90'] as const;
type Expiry = (typeof EXPIRIES)[number];

/** Null: never. */
export const EXPIRY_DAYS: Record<Expiry, number | null> = { never: null, '7': 7, '30': 30, '90': 90 };

const EXPIRY_OPTIONS = EXPIRIES.map((value) => {
  const days = EXPIRY_DAYS[value];
  return { value, label: days === null ? 'Until it is revoked' : `For ${days} days` };
});

/** What the viewer may ignore about a result. */
export type IgnoreForms = {
  /** The page without the forms. */
  back: string;
  change: { action: string; fields: Record<'note' | 'expires', Field> };
};

/** Whether the viewer may ignore something about the result. An approved result is not judged again. */
export function mayIgnore({ status, suite }: RunFor, result: ReviewedResult): boolean {
  return status === 'COMPLETED' && isChanged(result) && !result.approved && listPermissions(suite.access).approve;
}

export function ignoreForms({ id }: RunFor, result: ReviewedResult, back: string): IgnoreForms {
  const fields = buildFields(
    {
      expires: { label: 'How long', type: 'select', options: EXPIRY_OPTIONS, value: 'never' },
      note: { label: 'Note (optional)', attributes: { maxlength: NOTE_MAX_LENGTH, autocomplete: 'off' } },
    },
    null,
  );
  return { back, change: { action: `/runs/${id}/results/${result.id}/ignore-change`, fields } };
}
