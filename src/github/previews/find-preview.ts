import type { Context } from '../../context.ts';
import type { GitHubContext } from '../app/github-client.ts';
import { formatDuration, shortSha } from '../../text/format.ts';
import { endPullRequestRun } from '../../pull-requests/end-pull-request-run.ts';
import type { EarlyEnd } from '../../pull-requests/end-pull-request-run.ts';
import { logWarning } from '../../runs/log/log-warning.ts';
import { openPullRequestRun } from '../../pull-requests/open-pull-request-run.ts';
import type { PullRequestRun } from '../../pull-requests/pull-request-run.ts';
import { readWaitingRun } from '../../pull-requests/start-pull-request-run.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { enqueue, postponedTo } from '../../queue/enqueue.ts';
import { CONFIG_FILE } from './config-file.ts';
import { GitHubBusy } from '../app/respect-rate-limits.ts';
import type { PreviewSearch } from './look-for-preview.ts';
import { lookForPreview } from './look-for-preview.ts';

type PreviewContext = GitHubContext & Pick<Context, 'network'>;

/** The delay before a preview that is not up is tried again. It grows with the time already waited. */
const SOONEST_MS = 3_000;
const LATEST_MS = 60_000;

function nextLook(run: PullRequestRun, now: Date): Date {
  const age = now.getTime() - run.createdAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(age / 6, SOONEST_MS), LATEST_MS));
}

async function open(ctx: PreviewContext, run: PullRequestRun, found: PreviewSearch & { kind: 'found' }): Promise<void> {
  if (!(await openPullRequestRun(ctx, run.id, found.address))) return;
  ctx.log.info({ runId: run.id, address: found.address }, 'found the preview of a pull request');
  if (found.unknownKeys.length === 0) return;
  await logWarning(ctx, run.id, `${CONFIG_FILE} has unknown settings: ${found.unknownKeys.join(', ')}`);
}

async function end(ctx: PreviewContext, run: PullRequestRun, how: EarlyEnd): Promise<void> {
  if (await endPullRequestRun(ctx.db, ctx, run.id, how)) {
    ctx.log.info({ runId: run.id, ...how }, 'a pull request run ended without screenshots');
  }
}

/** Job: looks for the preview of a waiting run. It starts the run, ends it, or looks again later. */
export async function findPreview(ctx: PreviewContext, { runId }: { runId: string }): Promise<void> {
  try {
    await search(ctx, runId);
  } catch (error) {
    if (!(error instanceof GitHubBusy)) throw error;
    await enqueue(ctx.db, 'find-preview', { runId }, postponedTo(error.until));
  }
}

async function search(ctx: PreviewContext, runId: string): Promise<void> {
  const run = await readWaitingRun(ctx, runId);
  const suite = run && (await findSuite(ctx.db, run.testSuiteId));
  if (run === null || suite === null) return;
  const result = await lookForPreview(ctx, run, suite);
  if (result.kind === 'found') await open(ctx, run, result);
  else if (result.kind === 'ended') await end(ctx, run, result.end);
  else if (result.problem !== null) {
    await enqueue(ctx.db, 'find-preview', { runId }, postponedTo(nextLook(run, ctx.clock.now())));
  }
}

/** A run must not wait past its time because GitHub does not answer. */
async function lastLook(ctx: PreviewContext, run: PullRequestRun): Promise<PreviewSearch> {
  try {
    const suite = await findSuite(ctx.db, run.testSuiteId);
    return suite === null ? { kind: 'waiting', problem: null } : await lookForPreview(ctx, run, suite);
  } catch (error) {
    ctx.log.warn({ err: error, runId: run.id }, 'the last search for a preview failed');
    return { kind: 'waiting', problem: null };
  }
}

/**
 * Job, when a run has waited for its full time: looks one last time, then ends the run (contract 7,
 * `PREVIEW_TIMEOUT`).
 */
export async function expirePreview(ctx: PreviewContext, { runId }: { runId: string }): Promise<void> {
  const run = await readWaitingRun(ctx, runId);
  if (run === null) return;
  const search = await lastLook(ctx, run);
  if (search.kind === 'found') return open(ctx, run, search);
  if (search.kind === 'ended') return end(ctx, run, search.end);
  const waited = formatDuration((run.previewDeadline.getTime() - run.createdAt.getTime()) / 1000, 'long');
  const error =
    search.problem === null
      ? `No preview deployment of ${shortSha(run.headSha)} arrived within ${waited}.`
      : `The preview was not ready within ${waited}: ${search.problem}.`;
  return end(ctx, run, { status: 'FAILED', reason: 'preview_timeout', error });
}

/** Ends a run when every attempt to look for its preview failed: GitHub did not answer for hours. */
export async function giveUpPreview(ctx: Pick<Context, 'db' | 'clock'>, runId: string): Promise<void> {
  const error = 'Pixelgate could not look for the preview because GitHub did not respond to any attempt.';
  await endPullRequestRun(ctx.db, ctx, runId, { status: 'FAILED', reason: 'preview_timeout', error });
}
