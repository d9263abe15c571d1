import { runAddress } from '../../pull-requests/check/check-links.ts';
import { readSummary, SUMMARY_CHANGES } from '../../review/overview/read-summary.ts';
import { writeSummary } from '../../review/overview/summary-text.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { pageRoute } from '../web-route.ts';
import { RunParams } from './results/address.ts';

/** *Copy for an agent*: what agents are told of the run, as Markdown. */
export const getSummary = pageRoute({ path: '/runs/:id/summary.md', params: RunParams }, async (ctx, request) => {
  const run = await getRunFor(ctx, request.viewer, request.params.id, 'suite.read');
  const summary = await readSummary(ctx, run, { limit: SUMMARY_CHANGES, after: null });
  return { kind: 'markdown', text: writeSummary(summary, runAddress(ctx.config.publicUrl, run.id)) };
});
