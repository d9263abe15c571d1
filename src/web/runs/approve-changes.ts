import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AppError, invalid } from '../../errors.ts';
import type { ChangeToApprove } from '../../review/changes/approve-changes.ts';
import { approveChanges } from '../../review/changes/approve-changes.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { formatCount } from '../../text/format.ts';
import { SeenVerdict, many } from '../form-values.ts';
import type { Problem } from '../problem.ts';
import type { Reply } from '../reply.ts';
import { redirect } from '../reply.ts';
import type { WebRequest } from '../web-route.ts';
import { formRoute } from '../web-route.ts';
import { backTo } from './back.ts';
import { showChange } from './change-page.ts';
import { variantsOfKey } from './change-row.ts';
import { decidedMeanwhile } from './decided-meanwhile.ts';
import { runPath } from './result-filter.ts';
import { RunParams } from './run-page.ts';
import { showRun } from './show-run.ts';

const Form = z.object({
  /** The changes that the page showed as open. */
  keys: many,
  /** The variants that it showed of them, see `toVariantValue`. */
  variants: many,
  /** The changes or variants that were ticked to be left out. */
  except: many,
  /** Sent by the button of one change. */
  only: many,
  seen: SeenVerdict,
  /** A path of this service. */
  back: z.string().optional(),
});

function chooseChanges({ keys, variants, except, only }: z.output<typeof Form>): ChangeToApprove[] {
  const chosen = new Set(only.length > 0 ? only : keys.filter((key) => !except.includes(key)));
  const changes = [...chosen].flatMap((key): ChangeToApprove[] => {
    const shown = variantsOfKey(variants, key);
    if (shown.length === 0) return [{ key, variants: undefined }];
    const left = variantsOfKey(except, key);
    const approved = shown.filter((id) => !left.includes(id));
    return approved.length === 0 ? [] : [{ key, variants: approved }];
  });
  if (changes.length > 0) return changes;
  const [changeId] = only;
  if (changeId === undefined) throw invalid('Every change is selected, so none is left to approve');
  throw new AppError('invalid', 'Every variant is left out, so none is left to approve', {
    code: 'all_left_out',
    changeId,
  });
}

const OfChange = z.object({ code: z.enum(['several_variants', 'not_as_shown', 'all_left_out']), changeId: z.string() });

/** The change as it looks now, where it was not shown so. */
async function showAgain(
  ctx: Context,
  { viewer, params, url, preferences }: WebRequest<{ id: string }, undefined>,
  problem: Problem,
): Promise<Reply> {
  const meanwhile = decidedMeanwhile(problem, { action: url, decision: 'approve', keep: runPath(params.id) });
  if (meanwhile !== null) return meanwhile;
  const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
  const { data } = OfChange.safeParse(problem.details);
  if (data !== undefined) return showChange(ctx, run, { key: data.changeId, page: 1 }, problem);
  return showRun(ctx, run, { filter: {}, offset: 0, changes: 0, layout: preferences.resultLayout }, problem);
}

/** Approves one change as it was shown, or all that were shown but those left out. */
export const postApproveChanges = formRoute(
  { path: '/runs/:id/changes/approve', params: RunParams, form: Form, redisplay: showAgain },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const changes = chooseChanges(form);
    const { approved } = await approveChanges(ctx, run, { changes, seen: form.seen });
    const variants = changes.flatMap(({ variants: ids = [] }) => ids).length;
    const much = variants > changes.length ? ` in ${formatCount(variants, 'variant')}` : '';
    const notice = `Approved ${formatCount(changes.length, 'change')}${much} (${formatCount(approved, 'result')})`;
    return redirect(backTo(form.back, params.id), notice);
  },
);
