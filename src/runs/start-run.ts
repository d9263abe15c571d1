import { ownCommit, requireOwnRun, requireOwnWork } from '../access/authorized.ts';
import { inTurns } from '../async/in-turns.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { AppError, conflict, invalid, nullIf, unprocessable } from '../errors.ts';
import { pageUrl } from '../pages/page-identity.ts';
import { countRunnablePages, findRunnablePaths, findTrackedRemovedPaths } from '../pages/site-page-store.ts';
import { findSkippedViewports, without, type Place } from '../suites/config/page-rule.ts';
import { viewportNames } from '../suites/config/viewport.ts';
import { parseHttpUrl } from '../suites/suite-input.ts';
import { findSuite } from '../suites/suite-store.ts';
import type { Suite, SuiteFor } from '../suites/suite.ts';
import { firstLine, formatCount } from '../text/format.ts';
import { lockBuild } from './builds/build-store.ts';
import { buildName } from './builds/build.ts';
import { appendLogs } from './log/log-store.ts';
import type { RunLogLine } from './log/run-log.ts';
import { openCaptureSlots } from './page-jobs/open-runs.ts';
import { insertPendingResults } from './results/result-store.ts';
import { insertRun, setExtent, type RunDraft } from './run-store.ts';
import { addressAtTarget, runTarget, type Run, type RunTarget, type RunType } from './run.ts';
import { insertLooks } from './settings-change/settings-change-store.ts';
import type { Looks } from './settings-change/settings-change.ts';

export type StartRun = {
  /** Instead of `targetBaseUrl`. */
  buildId?: string | undefined;
  headSha?: string | undefined;
  prNumber?: number | undefined;
  /** The first line of the commit's message. */
  message?: string | undefined;
  targetBaseUrl?: string | undefined;
  branch?: string | undefined;
  runType?: RunType | undefined;
  /** Capture everything, even what could be proven unchanged. */
  render?: boolean | undefined;
};

type Began = Pick<RunDraft, 'startedBy' | 'trigger' | 'tokenName'>;

/** Who or what starts a run by a request. */
export function beganBy({ id, within, tokenName }: Viewer): Began {
  const trigger = within?.workflow === undefined ? (tokenName === undefined ? 'USER' : 'TOKEN') : 'WORKFLOW';
  return { startedBy: id, trigger, tokenName: tokenName ?? null };
}

/** A run of the suite's own site, what started it, and the merge that it follows. Pure. */
export function draftSiteRun(
  { id, baseUrl, config }: Pick<Suite, 'id' | 'baseUrl' | 'config'>,
  began: Began & Pick<RunDraft, 'gitPrNumber' | 'gitHeadSha' | 'gitTitle'>,
): RunDraft {
  return { testSuiteId: id, runType: 'MANUAL', targetBaseUrl: baseUrl, config, ...began };
}

/** The run that a request asks for: its type and its target (docs/rules.md, Runs). Pure. */
function draftRun(suite: SuiteFor, input: StartRun): RunDraft {
  const preview = input.targetBaseUrl === undefined ? null : parseHttpUrl(input.targetBaseUrl, 'targetBaseUrl');
  const buildId = input.buildId ?? null;
  if (preview !== null && buildId !== null) {
    throw invalid('A run captures either a preview or a build', [
      { path: 'buildId', message: 'is not allowed with targetBaseUrl' },
    ]);
  }
  const target = buildId === null ? preview : suite.baseUrl;
  const runType = input.runType ?? (target === null ? 'MANUAL' : 'BRANCH');
  const rendersAll = input.render ?? false;
  const began = beganBy(suite.viewer);
  switch (runType) {
    case 'PR':
      throw invalid('PR runs can only be started by pull requests', [
        { path: 'runType', message: 'must be MANUAL or BRANCH' },
      ]);
    case 'BRANCH': {
      if (target === null) {
        throw invalid('A BRANCH run requires a preview or a build', [
          { path: 'targetBaseUrl', message: 'or buildId is required for a BRANCH run' },
        ]);
      }
      return {
        testSuiteId: suite.id,
        runType,
        targetBaseUrl: target,
        buildId,
        config: suite.config,
        gitBranch: input.branch ?? null,
        gitHeadSha: input.headSha ?? null,
        gitPrNumber: input.prNumber ?? null,
        gitMessage: input.message === undefined ? null : firstLine(input.message),
        gitPreviewUrl: preview,
        rendersAll,
        ...began,
      };
    }
    case 'MANUAL':
      if (target !== null) {
        throw invalid('A MANUAL run always uses the suite’s base URL', [
          { path: buildId === null ? 'targetBaseUrl' : 'buildId', message: 'is not allowed for a MANUAL run' },
        ]);
      }
      if (input.prNumber !== undefined) {
        throw invalid('The suite’s own site says nothing about a pull request', [
          { path: 'prNumber', message: 'needs targetBaseUrl or buildId' },
        ]);
      }
      return { ...draftSiteRun(suite, began), rendersAll };
  }
}

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
    warn(`${path} is tracked, but the last crawl did not find it, so it is skipped`, { metadata: { path } });
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

/**
 * Adds a run's PENDING results and their capture jobs, in the transaction that starts it.
 * @param looks what is also captured with the settings of the base
 * @returns false when the suite has no tracked page; nothing is written then.
 */
export async function fillRun(trx: Db, run: Run, looks: Looks | null = null): Promise<boolean> {
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
  if (total === 0) return false;
  const paths = [...new Set([...own.paths, ...besides.paths])];
  await setExtent(trx, run.id, { results: total, removedPages: removed.length });
  await appendLogs(trx, run.id, openingLines(run, paths.length, total, { target, removed, skipped, inTime }));
  await openCaptureSlots(trx, run);
  return true;
}

/** Why a run of the suite would capture nothing. */
export async function explainEmpty(
  trx: Db,
  suiteId: string,
): Promise<{ reason: 'no_tracked_pages' | 'tracked_pages_removed'; error: string }> {
  if ((await countRunnablePages(trx, suiteId)) > 0) {
    return { reason: 'no_tracked_pages', error: 'Rules exclude all tracked pages of the suite' };
  }
  const removed = await findTrackedRemovedPaths(trx, suiteId);
  return removed.length === 0
    ? { reason: 'no_tracked_pages', error: 'The suite has no tracked pages' }
    : { reason: 'tracked_pages_removed', error: 'The last crawl found none of the suite’s tracked pages' };
}

/** Adds a run without results: `fillRun` adds them. */
export const addRun = async (trx: Db, draft: RunDraft): Promise<Run> => insertRun(trx, draft);

/**
 * Adds a run with its PENDING results and their capture jobs. All of it is in the caller's transaction, so there is
 * never a run without jobs to execute it.
 * @throws AppError conflict when the suite has no tracked page.
 */
export async function openRun(trx: Db, draft: RunDraft): Promise<Run> {
  const run = await addRun(trx, draft);
  if (!(await fillRun(trx, run))) throw conflict((await explainEmpty(trx, run.testSuiteId)).error, 'no_tracked_pages');
  return run;
}

/**
 * The same for a run that nobody waits for.
 * @returns null when there is nothing to capture, also because the rules exclude every page; nothing is written then.
 */
export async function openRunIfAny(trx: Db, draft: RunDraft): Promise<Run | null> {
  const isEmpty = (error: unknown) => error instanceof AppError && error.details.code === 'no_tracked_pages';
  return trx.transaction((part) => openRun(part, draft)).catch(nullIf(isEmpty));
}

/**
 * Starts a MANUAL or BRANCH run.
 * @throws AppError invalid (the request contradicts itself), conflict (the suite is not active or has no tracked page),
 * unprocessable (the target address is not allowed), forbidden (a workflow's token for another commit).
 */
export async function startRun(
  ctx: Pick<Context, 'db' | 'network'>,
  suite: SuiteFor<'suite.run'>,
  input: StartRun,
): Promise<Run> {
  requireOwnWork(suite.viewer, input);
  const asked = { ...input, headSha: input.headSha ?? ownCommit(suite.viewer) ?? undefined };
  const draft = draftRun(suite, asked);
  const { buildId = null } = draft;
  requireOwnRun(suite.viewer, { runType: draft.runType, git: asked });
  if (!suite.isActive) throw conflict('The suite is inactive', 'suite_not_active');
  if (buildId === null) await ctx.network.assertAllowed(draft.targetBaseUrl);
  return inTransaction(ctx.db, async (trx) => {
    const build = buildId === null ? null : await lockBuild(trx, suite.id, buildId);
    if (buildId !== null && build === null) throw unprocessable('The suite has no such build', 'no_such_build');
    requireOwnWork(suite.viewer, { headSha: build?.headSha });
    return openRun(trx, draft);
  });
}
