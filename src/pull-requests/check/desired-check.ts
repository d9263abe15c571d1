import { isDecidable } from '../../runs/run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import type { CheckLinks } from './check-links.ts';
import { formatSummary } from './check-summary.ts';
import { fitTitle } from './check-title.ts';
import { decideVerdict, type Verdict } from './check-verdict.ts';
import { isError, isUnapproved, type CheckSituation } from './check.ts';

/** Identifiers that GitHub returns in `requested_action`; at most 20 characters each. */
export const CHECK_ACTIONS = ['approve', 'rerun_errors'] as const;
type CheckActionName = (typeof CHECK_ACTIONS)[number];

/** GitHub allows 20 characters for a label and 40 for a description. */
type CheckAction = { identifier: CheckActionName; label: string; description: string };

export type DesiredCheck = Verdict & {
  summary: string;
  /** For changes with several variants: the ids of those that the summary shows. */
  variants: string[];
  actions: CheckAction[];
  detailsUrl: string;
};

const APPROVE: CheckAction = {
  identifier: 'approve',
  label: 'Approve',
  description: 'Approve all changes in this check',
};
const RERUN_ERRORS: CheckAction = {
  identifier: 'rerun_errors',
  label: 'Re-run errors',
  description: 'Capture the failed screenshots again',
};

function chooseActions({ run, results }: CheckSituation): CheckAction[] {
  if (!isDecidable(run.status)) return [];
  const isOpen = results.some(isUnapproved) || settingsReview(run) === 'PENDING';
  return [...(isOpen ? [APPROVE] : []), ...(results.some(isError) ? [RERUN_ERRORS] : [])];
}

/**
 * The notice about a refused button is shown while the check has buttons, or when the run ended early: an old GitHub
 * page may still show one then. The notice about a failed deployment is shown until a preview is found.
 */
function isNoticeDue({ run }: CheckSituation, actions: CheckAction[]): boolean {
  const awaitsPreview = run.status === 'PENDING' && run.git?.enqueued !== true;
  const hasEndedEarly = run.status === 'CANCELLED' || run.metadata?.reason === 'preview_timeout';
  return actions.length > 0 || awaitsPreview || hasEndedEarly;
}

/** The check that GitHub must show for the run's current state. Pure: equal situations give equal checks. */
export function decideCheck(situation: CheckSituation, notice: string | null, links: CheckLinks): DesiredCheck {
  const verdict = decideVerdict(situation);
  const actions = chooseActions(situation);
  return {
    ...verdict,
    title: fitTitle(verdict.title),
    ...formatSummary(situation, isNoticeDue(situation, actions) ? notice : null, links),
    actions,
    detailsUrl: links.run,
  };
}
