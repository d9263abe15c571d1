import { z } from 'zod';
import { personName } from '../../../auth/user.ts';
import { NOTE_MAX_LENGTH, ReviewerNote } from '../../../baselines/baseline.ts';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { Id, onRun } from '../../../http/acts-on.ts';
import { approveRun, OF_ANOTHER_RUN } from '../../../review/approval/approve-run.ts';
import { assertStored } from '../../../review/approval/as-shown.ts';
import { decide, decideSettings } from '../../../review/approval/decide.ts';
import { sayApproved, sayApprovedChanges, sayUndone, type Said } from '../../../review/approval/describe-decision.ts';
import { mayUnapprove, undoSince } from '../../../review/approval/undo-approval.ts';
import { approveChanges } from '../../../review/changes/approve-changes.ts';
import type { RunOverview } from '../../../review/overview/read-run-overview.ts';
import { DECISIONS } from '../../../review/verdicts/verdict.ts';
import { getRunFor, mayDecide, type RunFor } from '../../../runs/read-run.ts';
import { isInBase } from '../../../runs/run.ts';
import type { SettingsReport } from '../../../runs/settings-change/read-settings.ts';
import type { Look } from '../../../runs/settings-change/settings-change.ts';
import { describeDifference } from '../../../suites/config-file/settings-difference.ts';
import { formatCount, formatPercent } from '../../../text/format.ts';
import { namePlace } from '../../../text/readable-path.ts';
import { APPROVED_BADGE, EFFECT_BADGES, PENDING_BADGE } from '../../badge.ts';
import type { Notice } from '../../flash-notice.ts';
import { many, SeenVerdict, VerdictNumber } from '../../form-field.ts';
import { resultPath } from '../results/address.ts';
import { variantsOfKey } from '../results/change-list.ts';
import { BackForm, Results, runForm } from './run-form.ts';

const Form = BackForm.extend({
  /**
   * What was selected, or is shown: changes, their variants (see `toVariantValue`), and results without known changes.
   */
  keys: many,
  variants: many,
  resultIds: Results,
  note: ReviewerNote,
  seen: SeenVerdict,
  /** A path of this service: where to see what was decided. */
  here: z.string().optional(),
});
type Form = z.output<typeof Form>;

function chosenIds({ resultIds }: Pick<Form, 'resultIds'>): string[] {
  const ids = z.array(Id).safeParse(resultIds.map(({ id }) => id));
  if (!ids.success) throw invalid(OF_ANOTHER_RUN);
  return [...new Set(ids.data)];
}

/** The notice of a decision, which can be undone: it alone, also after others in another tab. */
async function noticeOf(
  ctx: Context,
  run: RunFor,
  { message, isDone, isFinal = false }: Said,
  form: Form,
): Promise<Notice> {
  const { verdictNumber: until } = await getRunFor(ctx, run.suite.viewer, run.id, 'suite.approve');
  const fields = {
    since: String(run.verdictNumber),
    until: String(until),
    back: form.here ?? form.back ?? `/runs/${run.id}`,
  };
  const undo = { label: 'Undo', action: `/runs/${run.id}/undo`, fields, key: 'z' };
  return { text: message, isProblem: !isDone, actions: isDone && !isFinal ? [undo] : [] };
}

async function approve(ctx: Context, run: RunFor<'suite.approve'>, form: Form): Promise<Said> {
  const { keys, variants, note, seen } = form;
  const resultIds = chosenIds(form);
  const looks = new Map(form.resultIds.flatMap(({ id, look }) => (look === undefined ? [] : [[id, look] as const])));
  if (keys.length + resultIds.length === 0) throw invalid('Select what you want to approve');
  if (keys.length === 0) {
    await assertStored(ctx, run, resultIds);
    return sayApproved(run, await approveRun(ctx, run, { resultIds, looks, note, seen }));
  }
  const changes = [...new Set(keys)].map((key) => {
    const shown = variantsOfKey(variants, key);
    return { key, variants: shown.length === 0 ? undefined : shown };
  });
  const done = await approveChanges(ctx, run, { changes, resultIds, looks, note, seen });
  return sayApprovedChanges(run, done, changes.length);
}

/** Approves the selected or shown changes and results. */
export const postApprove = runForm(
  { path: '/runs/:id/approve', ...onRun('suite.approve'), form: Form, decision: () => 'approve' },
  async (ctx, { run, form }) => noticeOf(ctx, run, await approve(ctx, run, form), form),
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
    return noticeOf(ctx, run, await decide(ctx, run, { decision: 'request_changes', resultIds, note, seen }), form);
  },
);

/** Takes back what the viewer did after verdict number `since`, up to `until`; or decisions about results, or about the run. */
export const postUndo = runForm(
  {
    path: '/runs/:id/undo',
    ...onRun('suite.approve'),
    form: Form.extend({
      since: VerdictNumber.optional(),
      until: SeenVerdict,
      only: z.enum(['requests', 'approvals']).optional(),
    }),
    decision: () => 'undo',
  },
  async (ctx, { run, form: { since, until, only, ...form } }) => {
    const resultIds = chosenResults(form);
    const { message, isDone } =
      since === undefined
        ? await decide(ctx, run, { decision: 'undo', resultIds, seen: form.seen, only })
        : sayUndone(await undoSince(ctx, run, { seen: since, until }));
    return { text: message, isProblem: !isDone };
  },
);

/** Differences that are shown, and results with what the settings of the base show. */
const MOST = 50;
export const LOOKS_SHOWN = 30;

const INTROS: Record<SettingsReport['review'], string> = {
  NOT_REQUIRED: 'None of this lets more changes pass in this pull request.',
  PENDING: 'This can let changes pass that the settings of the base would show. It needs an approval, like any change.',
  APPROVED: 'This can let changes pass that the settings of the base would show.',
};

const describeLook = ({ baseStatus, baseScore, leftOut }: Look): string =>
  baseStatus === 'FAIL'
    ? `differs by ${formatPercent(baseScore ?? 0)}${leftOut ? ', left out by this pull request' : ''}`
    : 'could not be captured with them';

/** What `runs/settings` prints: what a pull request changes in the settings. */
export function settingsSection({ run }: Pick<RunOverview, 'run'>, settings: SettingsReport | null, isMine: boolean) {
  if (settings === null) return null;
  const { review, hash, differences, looks, counts, notCaptured, approvedBy, approvedAt, carriedOver } = settings;
  const shown = looks.slice(0, counts.failing + counts.missing);
  const more = counts.failing + counts.missing - shown.length;
  return {
    badge: review === 'PENDING' ? PENDING_BADGE : review === 'APPROVED' ? APPROVED_BADGE : null,
    intro: INTROS[review],
    differences: differences
      .slice(0, MOST)
      .map((difference) => ({ text: describeDifference(difference), badge: EFFECT_BADGES[difference.effect] })),
    left: Math.max(0, differences.length - MOST),
    looks: shown.map((look) => ({
      href: resultPath(run.id, look.id),
      where: namePlace(look),
      text: describeLook(look),
    })),
    others: [
      ...(more > 0 ? [`${formatCount(more, 'more result')} that would differ or could not be captured`] : []),
      ...(counts.passing > 0 ? [`${formatCount(counts.passing, 'other result')} would not differ`] : []),
      ...(notCaptured > 0
        ? [`${formatCount(notCaptured, 'more result')} not captured with the settings of the base`]
        : []),
    ],
    approval: approvedAt === null ? null : { by: personName(approvedBy), at: approvedAt, carriedOver },
    form:
      mayDecide(run) && hash !== null
        ? {
            action: `/runs/${run.id}/settings-change`,
            fields: [
              { name: 'settings', value: hash },
              { name: 'seen', value: run.verdictNumber },
            ],
            noteLength: NOTE_MAX_LENGTH,
          }
        : null,
    mayApprove: review === 'PENDING',
    mayUndo: mayUnapprove(run),
    mayRequest: !isMine && !isInBase(run),
  };
}

const SettingsForm = BackForm.extend({
  decision: z.enum(DECISIONS),
  note: ReviewerNote,
  /** What the page showed. */
  settings: z.string(),
  seen: SeenVerdict,
});

/** Decides about what a pull request changes in the settings. */
export const postSettingsChange = runForm(
  {
    path: '/runs/:id/settings-change',
    ...onRun('suite.approve'),
    form: SettingsForm,
    decision: ({ typed }) => DECISIONS.find((each) => each === typed['decision']) ?? 'approve',
  },
  async (ctx, { run, form }) => decideSettings(ctx, run, { ...form, only: 'approvals' }),
);
