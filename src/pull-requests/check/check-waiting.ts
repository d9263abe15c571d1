import { displaySummary } from '../../auth/user.ts';
import type { Assignee } from '../../runs/assignees/assignee.ts';
import { waitsForReview } from '../../runs/assignees/waits-for-review.ts';
import { formatCount } from '../../text/format.ts';
import { inCode } from '../../text/markdown-code.ts';
import type { CheckSituation } from './check-verdict.ts';

const MAX_NAMES = 10;
const MAX_NAME = 64;

/** GitHub turns a login into a link. Other names are plain text. */
const nameOf = (assignee: Assignee) =>
  assignee.login !== null && /^[A-Za-z\d](?:[A-Za-z\d-]{0,38})$/.test(assignee.login)
    ? `@${assignee.login}`
    : inCode(displaySummary(assignee), MAX_NAME);

/** `Waiting for @ada and 2 others`: whom the run is assigned to, while it waits for a review. */
export function formatWaiting({ run, assignees = [] }: Pick<CheckSituation, 'run' | 'assignees'>): string[] {
  if (assignees.length === 0 || !waitsForReview(run)) return [];
  const names = assignees.slice(0, MAX_NAMES).map(nameOf).join(', ');
  const more = assignees.length - MAX_NAMES;
  return [`**Waiting for** ${names}${more > 0 ? ` and ${formatCount(more, 'other')}` : ''}.`];
}
