import { ownCommit, requireOwnRun, requireOwnWork } from '../access/authorized.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { AppError, conflict, invalid, nullIf, unprocessable } from '../errors.ts';
import { parseHttpUrl } from '../suites/suite-input.ts';
import type { Suite, SuiteFor } from '../suites/suite.ts';
import { firstLine } from '../text/format.ts';
import { lockBuild } from './builds/build-store.ts';
import { addRun, fillRun } from './fill-run.ts';
import type { RunDraft } from './run-store.ts';
import type { Run, RunType } from './run.ts';

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

/**
 * Adds a run with its PENDING results and their capture jobs. All of it is in the caller's transaction, so there is
 * never a run without jobs to execute it.
 * @throws AppError conflict when there is nothing to capture.
 */
export async function openRun(trx: Db, draft: RunDraft): Promise<Run> {
  const run = await addRun(trx, draft);
  const empty = await fillRun(trx, run);
  if (empty !== null) throw conflict(empty.error, 'no_tracked_pages');
  return run;
}

/**
 * The same for a run that nobody waits for.
 * @returns null when there is nothing to capture, for example because the rules exclude every page. Nothing is written
 * then.
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
