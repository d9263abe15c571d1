import { formatBox } from '../../text/format.ts';
import type { Context } from '../../context.ts';
import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import type { ReviewedResult } from '../../review/list/review-row.ts';
import type { IgnorableArea } from '../../runs/judging/ignore-area.ts';
import { listIgnorableAreas } from '../../runs/judging/ignore-area.ts';
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
  return { value, label: days === null ? 'Until revoked' : `For ${days} days` };
});

/** What the viewer may ignore about a result. */
export type IgnoreForms = {
  /** The page without the forms. */
  back: string;
  change: { action: string; fields: Record<'note' | 'expires', Field> };
  /** Null for those who may not change what the suite ignores. */
  area: {
    action: string;
    /** Of changes, by their numbers. */
    areas: { number: number; value: string; label: string }[];
    where: Field;
    /** URL of the view in which a box can be drawn. Null when it is this one. */
    draw: string | null;
  } | null;
};

const boxValue = ({ x, y, width, height }: IgnorableArea['box']) => `${x},${y},${width},${height}`;

/** What the form of an area reads. An element comes before its box. */
function areaChoices({ number, box, selector }: IgnorableArea) {
  return [
    ...(selector === null
      ? []
      : [{ number, value: `element ${selector}`, label: `Change ${number}: element ${selector}` }]),
    { number, value: `box ${boxValue(box)}`, label: `Change ${number}: box of ${formatBox(box)}` },
  ];
}

function areaForm(areas: IgnorableArea[], { path, viewport }: ReviewedResult, action: string, draw: string | null) {
  const options = [
    { value: 'here', label: `Only on ${path} at ${viewport}` },
    { value: 'every', label: 'On all pages at all viewports' },
  ];
  const { where } = buildFields({ where: { label: 'Where', type: 'select', options, value: 'here' } }, null);
  return { action, areas: areas.flatMap(areaChoices), where, draw };
}

/** Whether the viewer may ignore something about the result. An approved result is not judged again. */
export function mayIgnore({ status, suite }: RunFor, result: ReviewedResult): boolean {
  return status === 'COMPLETED' && isChanged(result) && !result.approved && listPermissions(suite.access).approve;
}

export async function ignoreForms(
  ctx: Pick<Context, 'db' | 'storage' | 'log'>,
  run: RunFor,
  result: ReviewedResult,
  { back, draw }: { back: string; draw: string | null },
): Promise<IgnoreForms> {
  const fields = buildFields(
    {
      expires: { label: 'Duration', type: 'select', options: EXPIRY_OPTIONS, value: 'never' },
      note: { label: 'Note', attributes: { maxlength: NOTE_MAX_LENGTH, autocomplete: 'off' } },
    },
    null,
  );
  const path = `/runs/${run.id}/results/${result.id}`;
  const mayEdit = listPermissions(run.suite.access).edit;
  const areas = mayEdit ? await listIgnorableAreas(ctx, result) : [];
  return {
    back,
    change: { action: `${path}/ignore-change`, fields },
    area: mayEdit ? areaForm(areas, result, `${path}/ignore-area`, draw) : null,
  };
}
