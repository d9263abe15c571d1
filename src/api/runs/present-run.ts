import type { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Dashboard } from '../../runs/list/list-runs.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { groupByPath, readResults, type ResultList } from '../../runs/results/list-results.ts';
import type { ListedResult } from '../../runs/results/result-sql.ts';
import { countByStatus, type ResultCounts } from '../../runs/results/result.ts';
import { nameRun } from '../../runs/run-name.ts';
import { sumResults, type RunSummary } from '../../runs/run.ts';
import { readSettings, type SettingsReport } from '../../runs/settings-change/read-settings.ts';
import { CONFIG_FILE, lockedSettings } from '../../suites/config-file/config-file.ts';
import { describeDifference } from '../../suites/config-file/settings-difference.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import { presenter } from '../presenter.ts';
import { PageResult, type TestRunDetail, type TestRunResultsResponse } from '../run-schemas.ts';
import type { Streamed } from '../streamed.ts';

/** A run as the API names its parts. */
export const presentRun = <R extends RunSummary>(run: R) => ({
  ...run,
  name: nameRun(run),
  git: run.git && { ...run.git, ...(run.runType === 'PR' ? { gated: run.isGated } : {}) },
});

export const presentRunWithSuite = (run: Dashboard['recentTestRuns'][number]) => ({
  ...presentRun(run),
  _count: { pageResults: sumResults(run) },
});

function presentBaseSettings(result: Omit<ListedResult, 'position'>) {
  const { leftOut, baseState, baseStatus, baseFile, baseScore, baseDiffFile, currentFile } = result;
  if (!leftOut && baseState === null && baseStatus === null) return null;
  const captured = leftOut ? (currentFile === null ? 'FAILED' : 'TAKEN') : baseState;
  return {
    captured,
    status: baseStatus,
    diffScore: baseScore,
    currentFile: leftOut ? currentFile : baseFile,
    diffFile: baseDiffFile,
  } as const;
}

export function presentSettings(settings: SettingsReport) {
  const { hash, review, differences, counts, notCaptured } = settings;
  return {
    ...settings,
    id: hash,
    state: review,
    differences: differences.map((difference) => ({ ...difference, summary: describeDifference(difference) })),
    withBaseSettings: { ...counts, notCaptured },
  };
}

/** Completes a result that was read for one answer: a copy of its many fields would take longer than the rest. */
export const presentResult = <R extends Omit<ListedResult, 'position'>>(result: R) =>
  Object.assign(result, {
    // Only a proof that replaced a screenshot.
    proof: result.proof?.state === 'USED' ? result.proof : null,
    baseSettings: presentBaseSettings(result),
    changeIds: result.changeIds ?? [],
    accessibilityIds: result.heardIds ?? [],
  });

const showResult = presenter(PageResult);

const toText = (config: Config, result: ListedResult) => JSON.stringify(showResult(presentResult(result), config));

/** The maximum number of results in the response for a run. */
const RESULTS_OF_A_RUN = 10_000;

/** The results are read while they are sent: there may be thousands. */
export async function presentRunDetail(
  ctx: Pick<Context, 'config' | 'db'>,
  run: RunFor,
): Promise<Streamed<z.input<typeof TestRunDetail>>> {
  const { config } = ctx;
  const settings = await readSettings(ctx, run, { looks: 0 });
  let sent = 0;
  return {
    before: {
      ...presentRun(run),
      settingsChange: settings && presentSettings(settings),
      testSuite: presentSuite(run.suite),
      _links: { pageResults: `${config.publicUrl}/api/test-runs/${run.id}/results` },
    },
    member: 'pageResults',
    batches: mapBatches(readResults(ctx, run, { limit: RESULTS_OF_A_RUN, after: null }), (result) => {
      sent += 1;
      return toText(config, result);
    }),
    after: async () => ({ _count: { pageResults: sent < RESULTS_OF_A_RUN ? sent : sumResults(run) } }),
  };
}

async function* mapBatches<T>(batches: AsyncIterable<T[]>, toText: (item: T) => string): AsyncGenerator<string[]> {
  for await (const batch of batches) yield batch.map(toText);
}

const presentCounts = (counts: ResultCounts) => ({
  passed: counts.PASS,
  failed: counts.FAIL,
  errors: counts.ERROR,
  pending: counts.PENDING,
});

/** The groups are read while they are sent; the counts of their pages come after them. */
export function presentGroupedResults(
  config: Config,
  { counts, batches }: ResultList,
): Streamed<z.input<typeof TestRunResultsResponse>> {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const urls: Record<string, ReturnType<typeof presentCounts>> = {};
  const entry = ([path, results]: [string, ListedResult[]]) => {
    urls[path] = presentCounts(countByStatus(results));
    return `${JSON.stringify(path)}:[${results.map((result) => toText(config, result)).join()}]`;
  };
  return {
    before: { stats: { total, ...presentCounts(counts) } },
    member: 'groups',
    batches: mapBatches(groupByPath(batches), entry),
    isObject: true,
    after: async () => ({ urls }),
  };
}

/** A suite as the API names its parts. */
export function presentSuite(suite: SuiteForViewer) {
  const file = suite.configFile;
  if (file === null) return { ...suite, configFile: null };
  const settings = lockedSettings(file).map((each) => ({ ...each, path: `config.${each.path}` }));
  return { ...suite, configFile: { ...file, path: CONFIG_FILE, settings } };
}
