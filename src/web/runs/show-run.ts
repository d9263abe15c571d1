import { z } from 'zod';
import { RESULT_LAYOUTS, type ResultLayout } from '../../auth/preferences.ts';
import { onRun } from '../../http/acts-on.ts';
import { runAddress } from '../../pull-requests/check/check-links.ts';
import { mayUnapprove } from '../../review/approval/undo-approval.ts';
import { readRunOverview, type RunOverview } from '../../review/overview/read-run-overview.ts';
import { readSummary, SUMMARY_CHANGES, writeSummary } from '../../review/overview/read-summary.ts';
import { mayDecide, mayRerun } from '../../runs/read-run.ts';
import { readErrors } from '../../runs/results/error-advice.ts';
import { REVIEW_SECTIONS } from '../../runs/results/result.ts';
import { isInFlight } from '../../runs/run.ts';
import { formatCount } from '../../text/format.ts';
import { asking } from '../form-field.ts';
import type { IconName } from '../icons.ts';
import type { Can } from '../permissions.ts';
import { readTogether } from '../read-together.ts';
import { pageRoute, redirect, withQuery, type Reply } from '../web-route.ts';
import { settingsSection } from './decisions/decide.ts';
import { readRunReview, type RunReview } from './read-review.ts';
import { serversNote } from './result-notes.ts';
import { Offset, ResultPart, resultPath } from './results/address.ts';
import { readResultsByPage, resultsModel, resultToolbar } from './results/results-by-page.ts';
import { runBar } from './run-head.ts';
import { explainEnding } from './run-state.ts';

/** The form that undoes all approvals of the run. Null if none can be undone. */
function undoForm({ run, undoable }: RunOverview) {
  if (undoable === 0 || !mayDecide(run)) return null;
  const approvals = formatCount(undoable + (mayUnapprove(run) ? 1 : 0), 'approval');
  const question = `Undo ${approvals} in this run? The screenshots will need a review again.`;
  return { question, button: `Undo ${approvals}`, action: `/runs/${run.id}/undo`, seen: run.verdictNumber };
}

function runActions(overview: RunOverview, can: Can) {
  const { run, errorPaths, counts } = overview;
  const { suite } = run;
  const over = !isInFlight(run.status);
  const mayCapture = over && mayRerun(run);
  const errors = formatCount(counts.error, 'error');
  return {
    log: `/runs/${run.id}/log`,
    summary: `/runs/${run.id}/summary.md`,
    timeline: `/suites/${suite.id}/audit?run=${run.id}`,
    undo: undoForm(overview),
    cancel:
      over || !can.run
        ? null
        : asking(
            'Cancel run',
            'Cancel this run? You can still view its results, but not approve them.',
            `/runs/${run.id}/cancel`,
          ),
    rerun: mayCapture && errorPaths > 0 ? { label: `Retry ${errors}`, action: `/runs/${run.id}/rerun` } : null,
    render: mayCapture && run.metadata?.provenScreenshots !== undefined ? `/runs/${run.id}/rerun` : null,
    again: over && can.run && suite.isActive && run.runType !== 'PR' ? `/suites/${suite.id}` : null,
  };
}

/** How the results with their thumbnails can be laid out. */
const LAYOUTS: Record<ResultLayout, { label: string; icon: IconName }> = {
  list: { label: 'List', icon: 'list-unordered' },
  grid: { label: 'Grid', icon: 'apps' },
};

function runPage(review: RunReview, layout: ResultLayout): Reply {
  const { run, suite, can, overview, head, requests, progress, changes, results, byPage } = review;
  const isMine = requests.some(({ resultId, author }) => resultId === null && author.id === suite.viewer.id);
  const model = {
    ...review,
    actions: runActions(overview, can),
    ending: explainEnding(run, review.newer, head.cancelledBy),
    arrivals: results === null && overview.total > 0,
    requests: requests.map((request) => ({
      ...request,
      href: request.resultId === null ? null : resultPath(run.id, request.resultId),
    })),
    servers: serversNote(overview),
    settings: settingsSection(overview, review.settings, isMine),
    bar: runBar(overview, { can, isMine, progress, changes: changes?.undecided ?? 0, others: review.rest.undecided }),
    views: overview.total === 0 || results === null ? [] : listViews(run.id, byPage, changes, overview),
    toolbar: overview.total === 0 || !byPage ? null : resultToolbar(overview, review.filter),
    changes: byPage ? null : changes,
    layout,
    layouts: RESULT_LAYOUTS.map((value) => ({ value, ...LAYOUTS[value], current: value === layout })),
  };
  return { kind: 'page', view: 'runs/show', title: head.pageTitle, model, section: 'runs' };
}

/** The two ways to see what a run found. The key `g` leads from one to the other. */
function listViews(runId: string, byPage: boolean, changes: { total: number } | null, { total }: RunOverview) {
  return [
    { label: 'By change', count: changes?.total ?? 0, href: `/runs/${runId}`, current: !byPage },
    { label: 'By page', count: total, href: `/runs/${runId}?view=pages`, current: byPage },
  ];
}

const RunQuery = ResultPart.extend({ changes: Offset, view: z.literal('pages').optional().catch(undefined) });

/** A run. When htmx changes the filter, it gets only the results. */
export const getRun = pageRoute(
  { path: '/runs/:id', ...onRun('suite.read'), query: RunQuery },
  async (ctx, { run, query, htmx, preferences }) => {
    const { offset, changes, view, ...filter } = query;
    if (!htmx) {
      const review = await readRunReview(ctx, run, { filter, offset, changes, byPage: view === 'pages' });
      return runPage(review, preferences.resultLayout);
    }
    const results = await resultsModel(ctx, await readRunOverview(ctx, run), { filter, offset });
    return { kind: 'fragment', view: 'runs/results', model: { results } };
  },
);

const Next = ResultPart.extend({ last: z.enum(REVIEW_SECTIONS).nullable().catch(null) });

/** The next part of the list, to be added at the end. */
export const getResults = pageRoute(
  { path: '/runs/:id/results', ...onRun('suite.read'), query: Next },
  async (ctx, { run, params, query, htmx }) => {
    const { offset, last, ...filter } = query;
    if (!htmx) return redirect(withQuery(`/runs/${params.id}`, { ...filter, offset }));
    const overview = await readRunOverview(ctx, run);
    const list = await readResultsByPage(ctx, overview, { filter, offset, lastSection: last });
    return { kind: 'fragment', view: 'runs/results-by-page', model: { list } };
  },
);

/** *Copy for an agent*: what agents are told of the run, as Markdown. */
export const getSummary = pageRoute({ path: '/runs/:id/summary.md', ...onRun('suite.read') }, async (ctx, { run }) => {
  const { summary, errors } = await readTogether({
    summary: readSummary(ctx, run, { limit: SUMMARY_CHANGES, after: null }),
    errors: readErrors(ctx, run),
  });
  return { kind: 'markdown', text: writeSummary(summary, errors, runAddress(ctx.config.publicUrl, run.id)) };
});
