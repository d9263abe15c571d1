import { inTurns } from '../async/batches.ts';
import type { Db } from '../db/database.ts';
import { pageUrl } from '../pages/page-identity.ts';
import { findRunnablePaths, findTrackedRemovedPaths } from '../pages/site-page-store.ts';
import { findSkippedViewports, without, type Place } from '../suites/config/page-rule.ts';
import { viewportNames } from '../suites/config/viewport.ts';
import { findSuite } from '../suites/suite-store.ts';
import { formatCount } from '../text/format.ts';
import { readablePath } from '../text/readable-path.ts';
import { buildName } from './builds/build.ts';
import { appendLogs } from './log/log-store.ts';
import type { RunLogLine } from './log/run-log.ts';
import { openCaptureSlots } from './page-jobs/open-runs.ts';
import { insertPendingResults } from './results/result-store.ts';
import { insertRun, setExtent, type RunDraft } from './run-store.ts';
import { addressAtTarget, runTarget, type Run, type RunTarget } from './run.ts';
import { insertLooks } from './settings-change/settings-change-store.ts';
import type { Looks } from './settings-change/settings-change.ts';

const describeTarget = ({ buildId, targetBaseUrl }: Run) =>
  buildId === null ? targetBaseUrl : `${buildName(buildId)}, at ${targetBaseUrl}`;

function openingLines(
  run: Run,
  pages: number,
  results: number,
  { target, removed, skipped, inTime }: { target: RunTarget; removed: string[] } & Skipped,
): RunLogLine[] {
  const names = viewportNames(run.config);
  const lines: RunLogLine[] = [
    {
      type: 'SYSTEM',
      message: `${run.runType} run queued against ${describeTarget(run)}: ${formatCount(pages, 'page')}, ${formatCount(results, 'screenshot')}`,
      metadata: { pages, screenshots: results, viewports: names },
      progress: 0,
    },
  ];
  const warn = (message: string, about?: Pick<RunLogLine, 'metadata'>) =>
    lines.push({ type: 'WARNING', message, ...about });
  if (run.runType !== 'MANUAL' && target.isOwnSite) {
    warn(
      `${run.targetBaseUrl} is the suite’s own site, not a preview of it: this run only says whether the site looks like its baselines`,
    );
  }
  for (const path of removed) {
    warn(`${readablePath(path)} is tracked, but the last crawl did not find it, so it is skipped`, {
      metadata: { path },
    });
  }
  const others = new Set(run.config.rules.flatMap(({ viewports }) => without(viewports, names)));
  if (others.size > 0) warn(`Rules name viewports that the suite does not have: ${[...others].join(', ')}`);
  if (skipped.length > 0) {
    const message = `${formatCount(skipped.length, 'screenshot')} excluded by the suite’s rules`;
    lines.push({ type: 'INFO', message, metadata: { skipped: skipped.length } });
  }
  if (!inTime) warn('The globs of the suite’s rules take too long to match: pages that the rules exclude are captured');
  return lines;
}

/**
 * Globs can be expensive, and the transaction holds a connection. Thousands of pages with a hundred rules take half a
 * second.
 */
const SKIPPING_MS = 2000;

type Skipped = { skipped: Place[]; inTime: boolean };

/** The pages that the suite's rules exclude, as far as they can be determined in time. */
async function findSkipped({ config }: Run, paths: string[]): Promise<Skipped> {
  if (!config.rules.some((rule) => rule.skip !== undefined)) return { skipped: [], inTime: true };
  const names = viewportNames(config);
  const skipped: Place[] = [];
  const late = performance.now() + SKIPPING_MS;
  for await (const path of inTurns(paths)) {
    if (performance.now() > late) return { skipped, inTime: false };
    skipped.push(...findSkippedViewports(config.rules, path, names).map((viewport) => ({ path, viewport })));
  }
  return { skipped, inTime: true };
}

type Empty = { reason: 'no_tracked_pages' | 'tracked_pages_removed'; error: string };

/** Why a run would capture nothing, by how many tracked pages it could capture, and how many are REMOVED. Pure. */
export function explainEmpty(runnable: number, removed: number): Empty {
  if (runnable > 0) return { reason: 'no_tracked_pages', error: 'Rules exclude all tracked pages of the suite' };
  return removed === 0
    ? { reason: 'no_tracked_pages', error: 'The suite has no tracked pages' }
    : { reason: 'tracked_pages_removed', error: 'The last crawl found none of the suite’s tracked pages' };
}

/** Adds a run without results: `fillRun` adds them. */
export const addRun = async (trx: Db, draft: RunDraft): Promise<Run> => insertRun(trx, draft);

/**
 * Adds a run's PENDING results and their capture jobs, in the transaction that starts it.
 * @param looks what is also captured with the settings of the base
 * @returns why there is nothing to capture; nothing is written then. Null: there is something.
 */
export async function fillRun(trx: Db, run: Run, looks: Looks | null = null): Promise<Empty | null> {
  const suite = await findSuite(trx, run.testSuiteId);
  if (suite === null) throw new Error(`The suite of run ${run.id} is gone`);
  const removed = await findTrackedRemovedPaths(trx, suite.id);
  const runnable = await findRunnablePaths(trx, suite.id);
  const target = runTarget(suite, run);
  const addressOf = (path: string) => addressAtTarget(target, path) ?? pageUrl(suite.baseUrl, path);
  const pages = runnable.map((path) => ({ path, url: addressOf(path) }));
  const { skipped, inTime } = await findSkipped(run, runnable);
  const own = await insertPendingResults(trx, run, pages, skipped);
  const besides = looks === null ? { paths: [], added: 0 } : await insertLooks(trx, run, looks, addressOf);
  const total = own.total + besides.added;
  if (total === 0) return explainEmpty(runnable.length, removed.length);
  const paths = [...new Set([...own.paths, ...besides.paths])];
  await setExtent(trx, run.id, { results: total, removedPages: removed.length });
  await appendLogs(trx, run.id, openingLines(run, paths.length, total, { target, removed, skipped, inTime }));
  await openCaptureSlots(trx, run);
  return null;
}
