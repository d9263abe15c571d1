import { z } from 'zod';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { decide } from '../../review/approval/decide.ts';
import { OF_ANOTHER_RUN } from '../../review/approval/reviewable.ts';
import type { Decision } from '../../review/verdicts/verdict.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { redirect } from '../reply.ts';
import { ApprovalNote } from '../approval-note.ts';
import { Id, SeenVerdict, many } from '../form-values.ts';
import type { Problem } from '../problem.ts';
import type { WebRequest } from '../web-route.ts';
import { formRoute } from '../web-route.ts';
import { backToResult, viewBefore } from './back.ts';
import { decidedMeanwhile } from './decided-meanwhile.ts';
import { Offset, resultPath } from './result-filter.ts';
import { RunParams } from './run-page.ts';
import { showRun } from './show-run.ts';

/** IDs, sent separately or separated by commas, because a check box or a button may represent a whole page. */
const Ids = many.transform((values) => values.flatMap((value) => value.split(',')).filter((id) => id !== ''));

const Form = z.object({
  /** What the pressed button applies to: every changed or new result, or only the ticked ones. */
  scope: z.enum(['all', 'ticked']).optional(),
  /** Sent by the buttons of a single page or result: only these results, no matter what is ticked. */
  only: Ids,
  resultIds: Ids,
  note: ApprovalNote,
  seen: SeenVerdict,
  /** The ids of the variants that the page showed, for a button that applies to every result. */
  shown: z
    .string()
    .optional()
    .transform((ids) => (ids ?? '').split(' ')),
  /** What of the settings the page showed, for a button that approves all. */
  settings: z.string().default(''),
  /** A path of this service. */
  back: z.string().optional(),
});

/** `undefined` means all. */
function chosenIds({ scope, only, resultIds }: Pick<z.output<typeof Form>, 'scope' | 'only' | 'resultIds'>) {
  const chosen = only.length > 0 ? only : scope === 'all' ? [] : resultIds;
  if (chosen.length === 0 && scope === 'ticked') throw invalid('Select the results you want to approve');
  const ids = z.array(Id).safeParse(chosen);
  if (!ids.success) throw invalid(OF_ANOTHER_RUN);
  return chosen.length === 0 ? undefined : [...new Set(ids.data)];
}

/** The place of the list part that contains the button. */
const InList = z.object({ offset: Offset });

/** Where to look at a decision about what was sent: the result if it is one, otherwise the run. */
function decidedPath(runId: string, { sent = [] }: Problem): string {
  const ids = Ids.parse(sent.filter(([name]) => name === 'only' || name === 'resultIds').map(([, value]) => value));
  const [only] = ids;
  return only === undefined || new Set(ids).size > 1 ? `/runs/${runId}` : resultPath(runId, only);
}

/** Problems with the selection are shown above the list that contains the check boxes. */
async function showAgain(
  ctx: Context,
  { viewer, params, url, preferences }: WebRequest<{ id: string }, unknown>,
  problem: Problem,
  decision: Decision,
) {
  const both = decidedMeanwhile(problem, { action: url, decision, keep: decidedPath(params.id, problem) });
  if (both !== null) return both;
  const message = 'resultIds' in problem.fields ? OF_ANOTHER_RUN : (problem.fields['note'] ?? problem.message);
  const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
  return showRun(ctx, run, viewBefore(problem, preferences), { ...problem, message });
}

function decisionRoute(path: string, decision: Decision) {
  return formRoute(
    {
      path: `/runs/:id/${path}`,
      params: RunParams,
      query: InList,
      form: Form,
      redisplay: async (ctx, request, problem) => showAgain(ctx, request, problem, decision),
    },
    async (ctx, { viewer, params, query, form }) => {
      const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
      const { note, seen, settings } = form;
      const resultIds = chosenIds(form);
      const shown = resultIds === undefined ? form.shown : undefined;
      const notice = await decide(ctx, run, { decision, resultIds, shown, note, seen, settings });
      return redirect(backToResult(form.back, params.id, { ...query, resultId: form.only[0] }), notice);
    },
  );
}

/** Approves all results, the ticked ones, or those of the button. Results that are already approved are not changed. */
export const postApprove = decisionRoute('approve', 'approve');

/** Takes approvals back, or one's own request for changes. */
export const postUndo = decisionRoute('undo', 'undo');

/** Asks for changes of the named results, or of the run. */
export const postRequestChanges = decisionRoute('request-changes', 'request_changes');
