import { z } from 'zod';
import type { AreaToIgnore } from '../../runs/judging/ignore-area.ts';
import { ignoreArea } from '../../runs/judging/ignore-area.ts';
import { getRunFor, readResult } from '../../runs/read-run.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { backTo } from '../runs/back.ts';
import { ResultParams } from './review-path.ts';

/** `element #clock`, or `box 10,20,300,40`: x, y, width and height in px of the screenshot. */
const AreaChoice = z
  .string()
  .regex(/^(?:element .+|box \d{1,6},\d{1,6},\d{1,6},\d{1,6})$/s, 'must be an element or a box')
  .transform((text): AreaToIgnore => {
    if (text.startsWith('element ')) return { selector: text.slice('element '.length) };
    const [x = 0, y = 0, width = 0, height = 0] = text.slice('box '.length).split(',').map(Number);
    return { box: { x, y, width, height } };
  });

const Form = z.object({
  area: AreaChoice,
  pages: z.enum(['this', 'every']).default('this'),
  viewports: z.enum(['this', 'all']).default('this'),
  back: z.string().optional(),
});

/** Adds to what the suite ignores: an element or a box. */
export const postIgnoreArea = formRoute(
  { path: '/runs/:id/results/:resultId/ignore-area', params: ResultParams, form: Form },
  async (ctx, { viewer, params, form: { area, pages, viewports, back } }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.edit');
    const scope = { everyPage: pages === 'every', everyViewport: viewports === 'all' };
    await ignoreArea(ctx, await readResult(ctx, run, params.resultId), area, scope);
    const what = 'selector' in area ? area.selector : 'A box';
    return redirect(backTo(back, params.id), `${what} is ignored from now on`);
  },
);
