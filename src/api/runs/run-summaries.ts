import type { Config } from '../../config.ts';
import { onRun } from '../../http/acts-on.ts';
import { runAddress } from '../../pull-requests/check/check-links.ts';
import type { ChangeGroup } from '../../review/changes/change-group.ts';
import { readSummary } from '../../review/overview/read-summary.ts';
import { describeEnding } from '../../runs/end-reason.ts';
import { getRunFor, type RunFor } from '../../runs/read-run.ts';
import { adviseOnEnd, readErrors } from '../../runs/results/error-advice.ts';
import { nameRun } from '../../runs/run-name.ts';
import { waitForRun } from '../../runs/wait-for-run.ts';
import { listRoute, route } from '../api-route.ts';
import {
  NAMED_AT_MOST,
  RunFailures,
  RunState,
  RunSummary,
  SUMMARY_LIST,
  WaitQuery,
} from '../schemas/summary-schemas.ts';
import { stateOf } from './changes.ts';

const presentState = ({ publicUrl }: Pick<Config, 'publicUrl'>, run: RunFor) => ({
  ...run,
  name: nameRun(run),
  testSuite: run.suite,
  url: runAddress(publicUrl, run.id),
  ending: describeEnding(run.metadata) ?? run.metadata?.error ?? null,
});

const presentSummaryChange = ({ key, paths, viewports, ...group }: ChangeGroup) => ({
  ...group,
  id: key,
  pages: paths.slice(0, NAMED_AT_MOST),
  pageCount: paths.length,
  viewports: viewports.slice(0, NAMED_AT_MOST),
  state: stateOf(group),
});

export const getState = route(
  {
    operationId: 'waitForTestRun',
    suiteToken: 'read',
    waits: true,
    summary: 'Wait until a run has ended, and read its state',
    description: 'While `status` is PENDING or RUNNING in the answer, the time was over: ask again.',
    ...onRun('suite.read'),
    query: WaitQuery,
    response: RunState,
  },
  async (ctx, { run, viewer, params, query, gone }) => {
    await waitForRun(ctx, run, query.seconds, gone);
    return presentState(ctx.config, await getRunFor(ctx, viewer, params.id, 'suite.read'));
  },
);

export const getSummary = listRoute(
  {
    operationId: 'summarizeTestRun',
    suiteToken: 'read',
    summary: 'Read what a run found, by cause: counts, and its changes in short',
    description: 'The same as on the review page, without pictures. `listChanges` and `listVariants` have all of it.',
    ...onRun('suite.read'),
    response: RunSummary,
    list: SUMMARY_LIST,
  },
  async (ctx, { run, part }) => {
    const { overview, changes } = await readSummary(ctx, run, part);
    return {
      ...overview,
      run: presentState(ctx.config, run),
      changeCount: changes.total,
      changes: changes.items.map(presentSummaryChange),
      next: changes.next,
    };
  },
);

export const getFailures = route(
  {
    operationId: 'explainTestRun',
    suiteToken: 'read',
    summary: 'Read why a run or some of its results failed, and which setting mends it',
    ...onRun('suite.read'),
    response: RunFailures,
  },
  async (ctx, { run }) => {
    const { total, groups } = await readErrors(ctx, run);
    return {
      run: presentState(ctx.config, run),
      error: run.metadata?.error ?? null,
      advice: adviseOnEnd(run.metadata?.reason),
      errorCount: total,
      errors: groups.map(({ error, results, paths, advice }) => ({
        error,
        count: results,
        pages: paths.slice(0, NAMED_AT_MOST),
        pageCount: paths.length,
        advice,
      })),
    };
  },
);
