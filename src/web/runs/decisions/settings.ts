import { z } from 'zod';
import { personName } from '../../../auth/user.ts';
import { NOTE_MAX_LENGTH, ReviewerNote } from '../../../baselines/baseline.ts';
import { onRun } from '../../../http/acts-on.ts';
import { decideSettings } from '../../../review/approval/decide-settings.ts';
import { mayUnapprove } from '../../../review/approval/undo-approval.ts';
import type { RunOverview } from '../../../review/overview/read-run-overview.ts';
import { DECISIONS } from '../../../review/verdicts/verdict.ts';
import { isDecidable, isInBase } from '../../../runs/run.ts';
import type { SettingsReport } from '../../../runs/settings-change/read-settings.ts';
import type { Look } from '../../../runs/settings-change/settings-change.ts';
import { describeDifference } from '../../../suites/config-file/settings-difference.ts';
import { formatCount, formatPercent } from '../../../text/format.ts';
import { APPROVED_BADGE, EFFECT_BADGES, PENDING_BADGE } from '../../badge.ts';
import { SeenVerdict } from '../../form-field.ts';
import type { Can } from '../../permissions.ts';
import { resultPath } from '../results/address.ts';
import { BackForm, runForm } from './run-form.ts';

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
export function settingsSection(
  { run }: Pick<RunOverview, 'run'>,
  settings: SettingsReport | null,
  { can, isMine }: { can: Can; isMine: boolean },
) {
  if (settings === null) return null;
  const { review, hash, differences, looks, counts, notCaptured, approvedBy, approvedAt, carriedOver } = settings;
  const mayDecide = can.approve && isDecidable(run.status) && hash !== null;
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
      where: `${look.path} at ${look.viewport}`,
      text: describeLook(look),
      fails: look.baseStatus === 'FAIL',
    })),
    others: [
      ...(more > 0 ? [`${formatCount(more, 'more result')} that would differ or could not be captured`] : []),
      ...(counts.passing > 0 ? [`${formatCount(counts.passing, 'other result')} would not differ`] : []),
      ...(notCaptured > 0
        ? [`${formatCount(notCaptured, 'more result')} not captured with the settings of the base`]
        : []),
    ],
    approval: approvedAt === null ? null : { by: personName(approvedBy), at: approvedAt, carriedOver },
    form: mayDecide
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

const Form = BackForm.extend({
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
    form: Form,
    decision: ({ typed }) => DECISIONS.find((each) => each === typed['decision']) ?? 'approve',
  },
  async (ctx, { run, form }) => decideSettings(ctx, run, form),
);
