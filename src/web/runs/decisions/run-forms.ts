import { z } from 'zod';
import { ReviewerNote } from '../../../baselines/baseline.ts';
import { Id, inRun, onResult, onRun } from '../../../http/acts-on.ts';
import { countAsChange } from '../../../review/approval/count-as-change.ts';
import { promoteResult } from '../../../review/approval/promote-through-api.ts';
import { cancelRun } from '../../../runs/end-run.ts';
import { sayDifferentServers } from '../../../runs/judging/say-different-servers.ts';
import { renderProven, rerunAllErrors, rerunErrors } from '../../../runs/rerun-errors.ts';
import { formatCount } from '../../../text/format.ts';
import { BackForm, runForm } from './run-form.ts';

/** Cancels a run in flight. */
export const postCancel = runForm(
  { path: '/runs/:id/cancel', ...onRun('suite.run'), form: BackForm },
  async (ctx, { run }) => {
    await cancelRun(ctx, run);
    return 'Run cancelled';
  },
);

const Rerun = BackForm.extend({
  /** The page whose errors are re-run. If omitted, those of all pages are. */
  path: z.string().startsWith('/').optional(),
  /** Captures pages that were proven unchanged instead. */
  render: z.literal('true').optional(),
});

/** Re-runs errors in the same run, of one page or all. Or captures pages that were proven unchanged. */
export const postRerun = runForm(
  { path: '/runs/:id/rerun', ...onRun('suite.run'), form: Rerun },
  async (ctx, { run, form: { path, render } }) => {
    if (render !== undefined) return `Capturing ${formatCount(await renderProven(ctx, run), 'page')}`;
    const queued = await (path === undefined
      ? rerunAllErrors(ctx, run)
      : rerunErrors(ctx, run, { url: run.suite.origin + path }));
    return `Retrying ${formatCount(queued, 'error')}`;
  },
);

const Servers = BackForm.extend({ differ: z.enum(['true', 'false']) });

/** Stores that preview and site are different servers, or that they may be one. */
export const postServers = runForm(
  { path: '/runs/:id/servers', ...onRun('suite.approve'), form: Servers },
  async (ctx, { run, form: { differ } }) => {
    await sayDifferentServers(ctx, run, { differ: differ === 'true' });
    return 'Saved. Open runs are evaluated again';
  },
);

/** Makes a difference that did not count need an approval. */
export const postCount = runForm(
  { path: '/runs/:id/results/:resultId/count', ...inRun('suite.approve', { resultId: Id }), form: BackForm },
  async (ctx, { run, params: { resultId } }) => {
    await countAsChange(ctx, run, resultId);
    return 'This now counts as a change and needs approval';
  },
);

const Promote = BackForm.extend({ note: ReviewerNote });

/** Sets a screenshot that passed with some differing pixels as the baseline. There is nothing to approve about it. */
export const postPromote = runForm(
  { path: '/runs/:id/results/:resultId/promote', ...onResult('suite.approve'), form: Promote },
  async (ctx, { result, form: { note } }) => {
    const { currentVersion } = await promoteResult(ctx, result, note);
    return `This screenshot is now baseline version ${currentVersion}`;
  },
);
