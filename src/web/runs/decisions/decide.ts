import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { decide } from '../../../review/approval/decide.ts';
import type { Said } from '../../../review/approval/describe-decision.ts';
import { sayApprovedChanges, sayUndone } from '../../../review/approval/describe-decision.ts';
import { OF_ANOTHER_RUN } from '../../../review/approval/reviewable.ts';
import { undoSince } from '../../../review/approval/undo-since.ts';
import { approveChanges } from '../../../review/changes/approve-changes.ts';
import type { Decision } from '../../../review/verdicts/verdict.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import { getRunFor } from '../../../runs/read-run.ts';
import { typedNumber } from '../../../text/typed-number.ts';
import { ApprovalNote } from '../../approval-note.ts';
import type { Notice } from '../../flash-notice.ts';
import { Id, SeenVerdict, many } from '../../form-values.ts';
import type { Problem } from '../../problem.ts';
import type { Reply } from '../../reply.ts';
import { redirect } from '../../reply.ts';
import type { WebRequest } from '../../web-route.ts';
import { formRoute } from '../../web-route.ts';
import { backTo, resultPath, RunParams } from '../results/address.ts';
import { variantsOfKey } from '../results/change-list.ts';
import { decidedMeanwhile } from './decided-meanwhile.ts';

/** IDs, sent separately or separated by commas, because a check box or a button may represent a whole page. */
const Ids = many.transform((values) => values.flatMap((value) => value.split(',')).filter((id) => id !== ''));

const Form = z.object({
  /** What was ticked, or is shown: changes, their variants (see `toVariantValue`), and results beside them. */
  keys: many,
  variants: many,
  resultIds: Ids,
  note: ApprovalNote,
  seen: SeenVerdict,
  /** Paths of this service: where to go on, and where one can look at what was decided. */
  back: z.string().optional(),
  here: z.string().optional(),
});
type Form = z.output<typeof Form>;

function chosenIds({ resultIds }: Pick<Form, 'resultIds'>): string[] {
  const ids = z.array(Id).safeParse(resultIds);
  if (!ids.success) throw invalid(OF_ANOTHER_RUN);
  return [...new Set(ids.data)];
}

/** Where to look at a decision about what was sent: the result if it is one, otherwise the run. */
function decidedPath(runId: string, { sent = [] }: Problem): string {
  const ids = Ids.parse(sent.filter(([name]) => name === 'resultIds').map(([, value]) => value));
  const [only] = ids;
  return only === undefined || ids.length > 1 ? `/runs/${runId}` : resultPath(runId, only);
}

async function showAgain({ params, url }: WebRequest<{ id: string }, unknown>, problem: Problem, decision: Decision) {
  const meanwhile = decidedMeanwhile(problem, { action: url, decision, keep: decidedPath(params.id, problem) });
  return meanwhile ?? refused(problem, params.id);
}

/** What was asked for was not done, and why. */
export function refused({ message, fields, typed }: Problem, runId: string): Reply {
  const why = 'resultIds' in fields ? OF_ANOTHER_RUN : (fields['note'] ?? message);
  const back = backTo(typed['here'] ?? typed['back'], runId);
  const model = { message: why, back };
  return { kind: 'page', view: 'runs/refused', title: 'Nothing was changed', model, section: 'runs' };
}

/** The notice of a decision, which can be undone. */
function noticeOf(run: RunFor, { message, isDone }: Said, form: Pick<Form, 'back' | 'here'>): Notice {
  const fields = { since: String(run.verdictNumber), back: form.here ?? form.back ?? `/runs/${run.id}` };
  const undo = { label: 'Undo', action: `/runs/${run.id}/undo`, fields, key: 'z' };
  return { text: message, isProblem: !isDone, actions: isDone ? [undo] : [] };
}

async function approve(ctx: Context, run: RunFor<'suite.approve'>, form: Form): Promise<Said> {
  const { keys, variants, note, seen } = form;
  const resultIds = chosenIds(form);
  if (keys.length + resultIds.length === 0) throw invalid('Select what you want to approve');
  if (keys.length === 0) return decide(ctx, run, { decision: 'approve', resultIds, note, seen });
  const changes = [...new Set(keys)].map((key) => {
    const shown = variantsOfKey(variants, key);
    return { key, variants: shown.length === 0 ? undefined : shown };
  });
  const done = await approveChanges(ctx, run, { changes, resultIds, note: note ?? undefined, seen });
  return sayApprovedChanges(run, done, changes.length);
}

/** Approves the changes and the results that were ticked, or are shown. */
export const postApprove = formRoute(
  {
    path: '/runs/:id/approve',
    params: RunParams,
    form: Form,
    redisplay: async (_ctx, request, problem) => showAgain(request, problem, 'approve'),
  },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const said = await approve(ctx, run, form);
    return redirect(backTo(form.back, params.id), noticeOf(run, said, form));
  },
);

/** Asks for changes of the named results, or of the run. */
export const postRequestChanges = formRoute(
  {
    path: '/runs/:id/request-changes',
    params: RunParams,
    form: Form,
    redisplay: async (_ctx, request, problem) => showAgain(request, problem, 'request_changes'),
  },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const ids = chosenIds(form);
    const resultIds = ids.length === 0 ? undefined : ids;
    const { note, seen } = form;
    const said = await decide(ctx, run, { decision: 'request_changes', resultIds, note, seen });
    return redirect(backTo(form.back, params.id), noticeOf(run, said, form));
  },
);

/** Takes back what the viewer did after verdict number `since`; or decisions about results, or about the run. */
export const postUndo = formRoute(
  {
    path: '/runs/:id/undo',
    params: RunParams,
    form: Form.extend({ since: typedNumber(0).optional() }),
    redisplay: async (_ctx, request, problem) => showAgain(request, problem, 'undo'),
  },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const ids = chosenIds(form);
    const { since, seen } = form;
    const { message, isDone } =
      since === undefined
        ? await decide(ctx, run, { decision: 'undo', resultIds: ids.length === 0 ? undefined : ids, seen })
        : sayUndone(await undoSince(ctx, run, since));
    return redirect(backTo(form.back, params.id), { text: message, isProblem: !isDone, actions: [] });
  },
);
