import { z } from 'zod';
import { NOTE_MAX_LENGTH, ReviewerNote } from '../../../baselines/baseline.ts';
import type { Context } from '../../../context.ts';
import { onResult } from '../../../http/acts-on.ts';
import { assertAsShown, assertStored, lookOf } from '../../../review/approval/as-shown.ts';
import type { ReviewedResult } from '../../../review/list/review-row.ts';
import {
  ignoreArea,
  listIgnorableAreas,
  type AreaToIgnore,
  type IgnorableArea,
} from '../../../runs/judging/ignore-area.ts';
import { ignoreChange } from '../../../runs/judging/ignore-change.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import { isChanged } from '../../../runs/results/result.ts';
import { formatBox } from '../../../text/format.ts';
import { namePlace } from '../../../text/readable-path.ts';
import type { Notice } from '../../flash-notice.ts';
import { buildFields, toOptions } from '../../form-field.ts';
import { listPermissions } from '../../permissions.ts';
import { backTo } from '../results/address.ts';
import { BackForm, BOX, readBox, runForm } from './run-form.ts';

const EXPIRIES = ['never', '7', '30', '90'] as const;

const EXPIRY_OPTIONS = EXPIRIES.map((value) => ({
  value,
  label: value === 'never' ? 'Until revoked' : `For ${value} days`,
}));

const boxValue = ({ x, y, width, height }: IgnorableArea['box']) => `${x},${y},${width},${height}`;

/** The value that the form sends for an area. An element comes before its box. */
function areaChoices({ number, box, selector }: IgnorableArea) {
  return [
    ...(selector === null
      ? []
      : [{ number, value: `element ${selector}`, label: `Change ${number}: element ${selector}` }]),
    { number, value: `box ${boxValue(box)}`, label: `Change ${number}: box of ${formatBox(box)}` },
  ];
}

function areaForm(areas: IgnorableArea[], result: ReviewedResult, action: string, draw: string | null) {
  const options = toOptions({
    here: `Only on ${namePlace(result)}`,
    every: 'On all pages at all viewports',
  });
  const { where } = buildFields({ where: { label: 'Where', type: 'select', options, value: 'here' } }, null);
  return { action, areas: areas.flatMap(areaChoices), where, draw };
}

/** Whether the viewer may ignore something about the result. An approved result is not judged again. */
export function mayIgnore({ status, suite }: RunFor, result: ReviewedResult): boolean {
  return status === 'COMPLETED' && isChanged(result) && !result.approved && listPermissions(suite.access).approve;
}

/** What the viewer may ignore about a result. */
export async function ignoreForms(
  ctx: Pick<Context, 'db' | 'storage' | 'log'>,
  run: RunFor,
  result: ReviewedResult,
  { back, draw }: { back: string; draw: string | null },
) {
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
    change: { action: `${path}/ignore-change`, look: lookOf(result), fields },
    area: mayEdit ? areaForm(areas, result, `${path}/ignore-area`, draw) : null,
  };
}

/** `element #clock`. An area is this or a box. */
const ELEMENT = /^element (.+)$/s;

const toArea = (text: string): AreaToIgnore => {
  const [, selector] = ELEMENT.exec(text) ?? [];
  return selector === undefined ? { box: readBox(text) } : { selector };
};

const AreaForm = BackForm.extend({
  area: z.string().refine((text) => ELEMENT.test(text) || BOX.test(text), 'must be an element or a box'),
  /** `here`: on the page at the viewport. `every`: on all pages at all viewports. */
  where: z.enum(['here', 'every']).default('here'),
  /** `undo`: stops ignoring it there. `move`: ignores it there instead of at the other place. */
  what: z.enum(['add', 'undo', 'move']).default('add'),
});
type AreaForm = z.output<typeof AreaForm>;

const PLACES: Record<AreaForm['where'], (result: Pick<ReviewedResult, 'path' | 'viewport'>) => string> = {
  here: (result) => `only on ${namePlace(result)}`,
  every: () => 'on all pages at all viewports',
};

const scope = (where: AreaForm['where']) => ({ everyPage: where === 'every', everyViewport: where === 'every' });

/** Says where it is ignored, and offers to undo that or to choose the other place. */
function noticeOf(action: string, { area, where, back }: AreaForm, place: string): Notice {
  const other = where === 'here' ? 'every' : 'here';
  const fields = { area, ...(back === undefined ? {} : { back }) };
  const name = area.startsWith('element ') ? area.slice('element '.length) : 'This area';
  return {
    text: `${name} is ignored ${place}.`,
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

/** Adds an element or a box to what the suite ignores, or removes it. */
export const postIgnoreArea = runForm(
  { path: '/runs/:id/results/:resultId/ignore-area', ...onResult('suite.edit'), form: AreaForm },
  async (ctx, { run, result, form }) => {
    const { where, what } = form;
    const area = toArea(form.area);
    const place = PLACES[where](result);
    if (what === 'undo') {
      await ignoreArea(ctx, result, area, { ...scope(where), undo: true });
      return `It is no longer ignored ${place}.`;
    }
    if (what === 'move')
      await ignoreArea(ctx, result, area, { ...scope(where === 'here' ? 'every' : 'here'), undo: true });
    await ignoreArea(ctx, result, area, scope(where));
    return noticeOf(`/runs/${run.id}/results/${result.id}/ignore-area`, form, place);
  },
);

const DAY = 24 * 60 * 60 * 1000;

const ChangeForm = BackForm.extend({
  note: ReviewerNote,
  expires: z.enum(EXPIRIES).default('never'),
  look: z.string().optional(),
});

/** Ignores the exact change of a result, for its page and viewport. */
export const postIgnoreChange = runForm(
  { path: '/runs/:id/results/:resultId/ignore-change', ...onResult('suite.approve'), form: ChangeForm },
  async (ctx, { run, result, form: { note, expires, look, back } }) => {
    assertAsShown(result, look);
    await assertStored(ctx, run, [result.id]);
    const days = expires === 'never' ? null : Number(expires);
    const expiresAt = days === null ? null : new Date(ctx.clock.now().getTime() + days * DAY);
    const { id } = await ignoreChange(ctx, result, { note, expiresAt });
    const list = `/suites/${run.testSuiteId}/ignored-changes`;
    return {
      text: `This exact change is ignored on ${namePlace(result)}${days === null ? '' : ` for ${days} days`}.`,
      actions: [
        { label: 'Undo', action: `${list}/${id}/revoke`, fields: { back: backTo(back, run.id) }, key: 'z' },
        { label: 'Change', action: list, fields: null },
      ],
    };
  },
);
