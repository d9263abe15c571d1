import type { Reason } from './difference.ts';
import { showsSameChange } from './stack-store.ts';

/**
 * The branch is based on that of another pull request, whose newest run shows the same: it is decided there
 * (docs/rules.md, Verdicts). Only the same bytes count, because one decision stands for both.
 */
export const fromPullRequest: Reason = async (ctx, { run, result }) => {
  const number = run.git?.basePullRequest;
  if (number === undefined || !(await showsSameChange(ctx.db, run, number, result))) return null;
  return { cause: 'FROM_PULL_REQUEST', pullRequest: number };
};
