import { z } from 'zod';
import { decideSettings } from '../../review/approval/decide-settings.ts';
import { DECISIONS } from '../../review/verdicts/verdict.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { ApprovalNote } from '../approval-note.ts';
import { SeenVerdict } from '../form-values.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { refused } from './approve.ts';
import { decidedMeanwhile } from './decided-meanwhile.ts';
import { runPath } from './result-filter.ts';
import { RunParams } from './run-page.ts';

const Form = z.object({
  decision: z.enum(DECISIONS),
  note: ApprovalNote,
  /** What the page showed. */
  settings: z.string(),
  seen: SeenVerdict,
});

/** Decides about what a pull request changes in how it is judged. */
export const postSettingsChange = formRoute(
  {
    path: '/runs/:id/settings-change',
    params: RunParams,
    form: Form,
    redisplay: async (_ctx, { params, url }, problem) =>
      decidedMeanwhile(problem, {
        action: url,
        decision: DECISIONS.find((each) => each === problem.typed['decision']) ?? 'approve',
        keep: runPath(params.id),
      }) ?? refused(problem, params.id),
  },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const notice = await decideSettings(ctx, run, form);
    return redirect(`/runs/${params.id}`, notice);
  },
);
