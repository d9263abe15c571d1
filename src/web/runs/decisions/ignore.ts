import { formatBox } from '../../../text/format.ts';
import type { Context } from '../../../context.ts';
import { NOTE_MAX_LENGTH } from '../../../baselines/baseline.ts';
import type { ReviewedResult } from '../../../review/list/review-row.ts';
import type { IgnorableArea, AreaToIgnore } from '../../../runs/judging/ignore-area.ts';
import { listIgnorableAreas, ignoreArea } from '../../../runs/judging/ignore-area.ts';
import { isChanged } from '../../../runs/results/result.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import type { Field } from '../../form-field.ts';
import { buildFields } from '../../form-field.ts';
import { listPermissions } from '../../permissions.ts';
import { z } from 'zod';
import { getRunFor, readResult } from '../../../runs/read-run.ts';
import type { Notice } from '../../flash-notice.ts';
import { redirect } from '../../reply.ts';
import { formRoute } from '../../web-route.ts';
import { backTo, ResultParams } from '../results/address.ts';
import { ignoreChange } from '../../../runs/judging/ignore-change.ts';
import { ApprovalNote } from '../../approval-note.ts';

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

/** `element #clock`, or `box 10,20,300,40`: x, y, width and height in px of the screenshot. */
const AREA = /^(?:element .+|box \d{1,6},\d{1,6},\d{1,6},\d{1,6})$/s;

function toArea(text: string): AreaToIgnore {
  if (text.startsWith('element ')) return { selector: text.slice('element '.length) };
  const [x = 0, y = 0, width = 0, height = 0] = text.slice('box '.length).split(',').map(Number);
  return { box: { x, y, width, height } };
}

const AreaForm = z.object({
  area: z.string().regex(AREA, 'must be an element or a box'),
  /** `here`: on the page at the viewport. `every`: on all pages at all viewports. */
  where: z.enum(['here', 'every']).default('here'),
  /** `undo`: it is no longer ignored there. `move`: there and no longer at the other of the two. */
  what: z.enum(['add', 'undo', 'move']).default('add'),
  back: z.string().optional(),
});
type AreaForm = z.output<typeof AreaForm>;

const PLACES: Record<AreaForm['where'], (path: string, viewport: string) => string> = {
  here: (path, viewport) => `only on ${path} at ${viewport}`,
  every: () => 'on all pages at all viewports',
};

const scope = (where: AreaForm['where']) => ({ everyPage: where === 'every', everyViewport: where === 'every' });

/** Says for what it is ignored, and offers to take that back, or the other place. */
function noticeOf(action: string, { area, where, back }: AreaForm, place: string): Notice {
  const other = where === 'here' ? 'every' : 'here';
  const fields = { area, ...(back === undefined ? {} : { back }) };
  const name = area.startsWith('element ') ? area.slice('element '.length) : 'This area';
  return {
    text: `${name} is ignored ${place}.`,
    isProblem: false,
    actions: [
      { label: 'Undo', action, fields: { ...fields, where, what: 'undo' }, key: 'z' },
      {
        label: other === 'every' ? 'Change to all pages' : 'Change to only here',
        action,
        fields: { ...fields, where: other, what: 'move' },
      },
    ],
  };
}

/** Adds to what the suite ignores: an element or a box. Or takes that back. */
export const postIgnoreArea = formRoute(
  { path: '/runs/:id/results/:resultId/ignore-area', params: ResultParams, form: AreaForm },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.edit');
    const result = await readResult(ctx, run, params.resultId);
    const { where, what, back } = form;
    const area = toArea(form.area);
    const place = PLACES[where](result.path, result.viewport);
    const to = backTo(back, params.id);
    if (what === 'undo') {
      await ignoreArea(ctx, result, area, { ...scope(where), undo: true });
      return redirect(to, `It is no longer ignored ${place}.`);
    }
    if (what === 'move')
      await ignoreArea(ctx, result, area, { ...scope(where === 'here' ? 'every' : 'here'), undo: true });
    await ignoreArea(ctx, result, area, scope(where));
    return redirect(to, noticeOf(`/runs/${run.id}/results/${result.id}/ignore-area`, form, place));
  },
);

const DAY = 24 * 60 * 60 * 1000;

const ChangeForm = z.object({
  note: ApprovalNote,
  expires: z.enum(EXPIRIES).default('never'),
  back: z.string().optional(),
});

/** Waves the very change of a result through, for its page and viewport. */
export const postIgnoreChange = formRoute(
  { path: '/runs/:id/results/:resultId/ignore-change', params: ResultParams, form: ChangeForm },
  async (ctx, { viewer, params, form: { note, expires, back } }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const days = EXPIRY_DAYS[expires];
    const expiresAt = days === null ? null : new Date(ctx.clock.now().getTime() + days * DAY);
    const result = await readResult(ctx, run, params.resultId);
    const { id } = await ignoreChange(ctx, result, { note, expiresAt });
    const until = days === null ? '' : ` for ${days} days`;
    const list = `/suites/${run.testSuiteId}/ignored-changes`;
    const to = backTo(back, params.id);
    return redirect(to, {
      text: `This exact change is ignored on ${result.path} at ${result.viewport}${until}.`,
      isProblem: false,
      actions: [
        { label: 'Undo', action: `${list}/${id}/revoke`, fields: { back: to }, key: 'z' },
        { label: 'Change', action: list, fields: null },
      ],
    });
  },
);
