import { z } from 'zod';
import { invalid } from '../../errors.ts';
import { approveChanges } from '../../review/changes/approve-changes.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { formatCount } from '../../text/format.ts';
import { SeenVerdict, many } from '../form-values.ts';
import { decidedMeanwhile } from './decided-meanwhile.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { RunParams } from './run-page.ts';
import { showRun } from './show-run.ts';

const Form = z.object({
  /** The changes that the page showed as open. */
  keys: many,
  /** Those that were ticked to be left out. */
  except: many,
  /** Sent by the button of one change. */
  only: many,
  seen: SeenVerdict,
});

function chooseKeys({ keys, except, only }: z.output<typeof Form>): string[] {
  const chosen = only.length > 0 ? only : keys.filter((key) => !except.includes(key));
  if (chosen.length === 0) throw invalid('Every change is selected, so none is left to approve');
  return [...new Set(chosen)];
}

/** Approves one change wherever it occurs, or all that were shown but those left out. */
export const postApproveChanges = formRoute(
  {
    path: '/runs/:id/changes/approve',
    params: RunParams,
    form: Form,
    redisplay: async (ctx, { viewer, params, url, preferences }, problem) =>
      decidedMeanwhile(problem, { runId: params.id, action: url, decision: 'approve' }) ??
      showRun(
        ctx,
        await getRunFor(ctx, viewer, params.id, 'suite.read'),
        { filter: {}, offset: 0, changes: 0, layout: preferences.resultLayout },
        problem,
      ),
  },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const keys = chooseKeys(form);
    const { approved } = await approveChanges(ctx, run, { keys, seen: form.seen });
    const notice = `Approved ${formatCount(keys.length, 'change')} (${formatCount(approved, 'result')})`;
    return redirect(`/runs/${params.id}`, notice);
  },
);
