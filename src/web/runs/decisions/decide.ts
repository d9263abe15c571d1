import { z } from 'zod';
import { ReviewerNote } from '../../../baselines/baseline.ts';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { Id, onRun } from '../../../http/acts-on.ts';
import { decide } from '../../../review/approval/decide.ts';
import { sayApprovedChanges, sayUndone, type Said } from '../../../review/approval/describe-decision.ts';
import { OF_ANOTHER_RUN } from '../../../review/approval/reviewable.ts';
import { undoSince } from '../../../review/approval/undo-approval.ts';
import { approveChanges } from '../../../review/changes/approve-changes.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import { typedNumber } from '../../../text/typed-number.ts';
import type { Notice } from '../../flash-notice.ts';
import { many, SeenVerdict } from '../../form-field.ts';
import { variantsOfKey } from '../results/change-list.ts';
import { BackForm, Ids, runForm } from './run-form.ts';

const Form = BackForm.extend({
  /**
   * What was selected, or is shown: changes, their variants (see `toVariantValue`), and results without known changes.
   */
  keys: many,
  variants: many,
  resultIds: Ids,
  note: ReviewerNote,
  seen: SeenVerdict,
  /** A path of this service: where to see what was decided. */
  here: z.string().optional(),
});
type Form = z.output<typeof Form>;

function chosenIds({ resultIds }: Pick<Form, 'resultIds'>): string[] {
  const ids = z.array(Id).safeParse(resultIds);
  if (!ids.success) throw invalid(OF_ANOTHER_RUN);
  return [...new Set(ids.data)];
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
  const done = await approveChanges(ctx, run, { changes, resultIds, note, seen });
  return sayApprovedChanges(run, done, changes.length);
}

/** Approves the selected or shown changes and results. */
export const postApprove = runForm(
  { path: '/runs/:id/approve', ...onRun('suite.approve'), form: Form, decision: () => 'approve' },
  async (ctx, { run, form }) => noticeOf(run, await approve(ctx, run, form), form),
);

/** No results: the decision is about the run. */
function chosenResults(form: Form): string[] | undefined {
  const ids = chosenIds(form);
  return ids.length === 0 ? undefined : ids;
}

/** Requests changes to the named results, or to the run. */
export const postRequestChanges = runForm(
  {
    path: '/runs/:id/request-changes',
    ...onRun('suite.approve'),
    form: Form,
    decision: () => 'request_changes',
  },
  async (ctx, { run, form }) => {
    const { note, seen } = form;
    const resultIds = chosenResults(form);
    return noticeOf(run, await decide(ctx, run, { decision: 'request_changes', resultIds, note, seen }), form);
  },
);

/** Takes back what the viewer did after verdict number `since`; or decisions about results, or about the run. */
export const postUndo = runForm(
  {
    path: '/runs/:id/undo',
    ...onRun('suite.approve'),
    form: Form.extend({ since: typedNumber(0).optional() }),
    decision: () => 'undo',
  },
  async (ctx, { run, form: { since, ...form } }) => {
    const resultIds = chosenResults(form);
    const { message, isDone } =
      since === undefined
        ? await decide(ctx, run, { decision: 'undo', resultIds, seen: form.seen })
        : sayUndone(await undoSince(ctx, run, since));
    return { text: message, isProblem: !isDone };
  },
);
