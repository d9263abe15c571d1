import { z } from 'zod';
import type { Config } from '../../config.ts';
import { onRun } from '../../http/acts-on.ts';
import { runAddress } from '../../pull-requests/check/check-links.ts';
import type { ChangeGroup } from '../../review/changes/change-group.ts';
import { readSummary, SUMMARY_CHANGES } from '../../review/overview/read-summary.ts';
import { getRunFor, MOST_WAIT_SECONDS, waitForRun, type RunFor } from '../../runs/read-run.ts';
import { adviseOnEnd, readErrors } from '../../runs/results/error-advice.ts';
import { OTHER_CAUSES } from '../../runs/results/result.ts';
import { nameRun } from '../../runs/run-name.ts';
import { describeEnding } from '../../runs/run.ts';
import { listRoute, route } from '../api-route.ts';
import { TestRun } from '../run-schemas.ts';
import { Address, namedObject, PublicId, wholeNumber } from '../suite-schemas.ts';
import { Change, ChangePlace, stateOf } from './changes.ts';

const { id, number, name, status, reviewState, git, startedAt, endedAt, changeRequests, metadata } = TestRun.shape;

/** How many of a list's items a summary names. */
const NAMED_AT_MOST = 5;

const RunState = namedObject('RunState', {
  id,
  number,
  name,
  status,
  reviewState,
  git,
  startedAt,
  endedAt,
  changeRequests,
  metadata: metadata.describe(
    'Counts. With `errorTests` above 0, some pages could not be captured: the run did not pass',
  ),
  testSuite: z.object({ id: PublicId, name: z.string() }),
  url: Address.describe('The page on which people review it'),
  ending: z.string().nullable().describe('Why it ended without capturing every page. null: it did not'),
});

const count = z.int();

const SummaryChange = namedObject('SummaryChange', {
  ...Change.omit({ beforeCrop: true, afterCrop: true, variants: true }).shape,
  pages: z.array(z.string()).describe(`The first ${NAMED_AT_MOST} of its paths`),
  pageCount: count,
  viewports: z.array(z.string()).describe(`The first ${NAMED_AT_MOST}`),
});

const RunSummary = namedObject('RunSummary', {
  run: RunState,
  counts: z
    .object({
      changed: count.describe('Differ, and need an approval'),
      new: count.describe('Pages without a baseline'),
      error: count.describe('Could not be captured'),
      pending: count,
      uncounted: count.describe('Differ for another reason than a change, see `causes`'),
      passed: count,
      cancelled: count,
    })
    .describe('How many results are in each section of the review'),
  causes: z
    .array(z.object({ cause: z.enum(OTHER_CAUSES), results: count }))
    .describe('Why results differ without needing an approval'),
  undecided: count.describe('How many results nobody has decided about yet'),
  changeCount: count.describe('How many changes there are. 0 in an empty part'),
  changes: z.array(SummaryChange).describe('Most results first, faint ones and drift last'),
});

const Advice = namedObject('Advice', {
  setting: z
    .string()
    .nullable()
    .describe('What mends it: a field of the suite, a setting of the operator, or the configuration file. null: none'),
  advice: z.string(),
});

const RunFailures = namedObject('RunFailures', {
  run: RunState,
  error: z.string().nullable().describe('Why the run ended, in more words than `run.ending`'),
  advice: Advice.nullable().describe('What to do about that. null: nothing is known, or nothing is wrong'),
  errorCount: z.int().describe('How many results are errors'),
  errors: z
    .array(
      z.object({
        error: z.string(),
        count: z.int().describe('How many results have it'),
        pages: z.array(z.string()).describe(`The first ${NAMED_AT_MOST} of its paths`),
        pageCount: z.int(),
        advice: Advice.nullable(),
      }),
    )
    .describe('The ten most frequent'),
});

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
    query: z.object({
      seconds: wholeNumber(0, MOST_WAIT_SECONDS)
        .default(MOST_WAIT_SECONDS)
        .describe('How long to wait at most. The answer comes earlier if the run ends'),
    }),
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
    list: { most: SUMMARY_CHANGES, place: ChangePlace },
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
