import { z } from 'zod';
import type { AreaToIgnore } from '../../runs/judging/ignore-area.ts';
import { ignoreArea } from '../../runs/judging/ignore-area.ts';
import { getRunFor, readResult } from '../../runs/read-run.ts';
import type { Notice } from '../flash-notice.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { backTo } from '../runs/back.ts';
import { ResultParams } from './review-path.ts';

/** `element #clock`, or `box 10,20,300,40`: x, y, width and height in px of the screenshot. */
const AREA = /^(?:element .+|box \d{1,6},\d{1,6},\d{1,6},\d{1,6})$/s;

function toArea(text: string): AreaToIgnore {
  if (text.startsWith('element ')) return { selector: text.slice('element '.length) };
  const [x = 0, y = 0, width = 0, height = 0] = text.slice('box '.length).split(',').map(Number);
  return { box: { x, y, width, height } };
}

const Form = z.object({
  area: z.string().regex(AREA, 'must be an element or a box'),
  /** `here`: on the page at the viewport. `every`: on all pages at all viewports. */
  where: z.enum(['here', 'every']).default('here'),
  /** `undo`: it is no longer ignored there. `move`: there and no longer at the other of the two. */
  what: z.enum(['add', 'undo', 'move']).default('add'),
  back: z.string().optional(),
});
type Form = z.output<typeof Form>;

const PLACES: Record<Form['where'], (path: string, viewport: string) => string> = {
  here: (path, viewport) => `only on ${path} at ${viewport}`,
  every: () => 'on all pages at all viewports',
};

const scope = (where: Form['where']) => ({ everyPage: where === 'every', everyViewport: where === 'every' });

/** Says for what it is ignored, and offers to take that back, or the other place. */
function noticeOf(action: string, { area, where, back }: Form, place: string): Notice {
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
  { path: '/runs/:id/results/:resultId/ignore-area', params: ResultParams, form: Form },
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
