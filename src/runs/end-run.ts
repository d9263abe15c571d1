import { displayName, toActor, type Viewer } from '../auth/user.ts';
import type { Context, WorkerContext } from '../context.ts';
import { inTransaction, withoutNulls, type Db } from '../db/database.ts';
import { conflict, notFound } from '../errors.ts';
import { findNewPaths, keepAcknowledged } from '../pages/site-page-store.ts';
import { enqueue } from '../queue/enqueue.ts';
import { formatCount, formatNumber } from '../text/format.ts';
import { queueJudgementsAbove, queueMissedJudgement } from './judging/queue-judgement.ts';
import { countStandIns } from './judging/sighting-store.ts';
import { appendLogs } from './log/log-store.ts';
import type { RunLogLine } from './log/run-log.ts';
import { decideOutcome, decideReviewState, type Outcome } from './outcome.ts';
import { findRepeatedPaths } from './page-results/page-results-store.ts';
import { savePageStates } from './page-results/page-state-store.ts';
import { judgeProofs } from './proofs/judge-proofs.ts';
import { queueCheckUpdate } from './queue-check-update.ts';
import type { RunFor } from './read-run.ts';
import { recordDrift, recordEnd, recordGate, type RunEnd } from './record-run-events.ts';
import { cancelPendingResults, findResults } from './results/result-store.ts';
import { describeUncounted, isChanged, type PageResult } from './results/result.ts';
import { findRuleMatches, setUnmatchedSelectors } from './results/site-notice-store.ts';
import { deleteRun, findGateOfRun, findRun, lockIdleRun, lockRun, moveRun } from './run-store.ts';
import { describeEnd, IN_FLIGHT, type EndCause, type Run, type RunMetadata } from './run.ts';
import { findUnmatchedSelectors } from './unmatched-selectors.ts';

/**
 * Ends a run in the caller's transaction; no other code does (docs/rules.md, Runs). Changes the status, cancels pending
 * results, writes the last line of the log, records the events and queues the update of the check.
 * @returns false when the run had already left `from`; nothing is written then.
 */
export async function endRun(trx: Db, { clock }: Pick<Context, 'clock'>, run: Run, end: RunEnd): Promise<boolean> {
  const { from, to, metadata, reviewState, by, results = [], line, at = clock.now() } = end;
  const also = { endedAt: at, metadata, reviewState, cancelledById: by?.id ?? undefined };
  if (!(await moveRun(trx, run.id, from, to, also))) return false;
  await cancelPendingResults(trx, run.id);
  await appendLogs(trx, run.id, [line]);
  await recordEnd(trx, run, end);
  await recordGate(trx, run, reviewState ?? run.reviewState, results);
  await recordDrift(trx, run, results);
  await queueCheckUpdate(trx, run, 'now');
  if (run.runType !== 'MANUAL') return true;
  await savePageStates(trx, run.id);
  // It may have seeded baselines.
  await enqueue(trx, 'follow-baselines', { suiteId: run.testSuiteId });
  return true;
}

/** Cancels a run, in the caller's transaction, for the person `by`. False when the run is over, or gone. */
export async function cancelInFlight(
  trx: Db,
  ctx: Pick<Context, 'clock'>,
  runId: string,
  cause: EndCause,
  by?: Viewer,
): Promise<boolean> {
  const run = await lockRun(trx, runId);
  if (run === null) return false;
  const at = ctx.clock.now();
  return endRun(trx, ctx, run, {
    at,
    from: IN_FLIGHT,
    to: 'CANCELLED',
    metadata: { ...run.metadata, ...cause, cancelledAt: at.toISOString() },
    ...(by === undefined ? {} : { by: toActor(by) }),
    line: {
      type: 'SYSTEM',
      message: `Run cancelled: ${describeEnd(cause, by && displayName(by))}`,
      metadata: cause,
    },
  });
}

/**
 * Removes a run with everything that belongs to it, in the caller's transaction. `leave` runs while the run is locked,
 * and stores what has to remain of it.
 * @returns what `leave` answers. Null: the run stays, because `leave` says so, it is gone, or somebody is changing it.
 */
export async function removeRun<T>(trx: Db, id: string, leave: () => Promise<T | null>): Promise<T | null> {
  if (!(await lockIdleRun(trx, id))) return null;
  const left = await leave();
  if (left !== null) await deleteRun(trx, id);
  return left;
}

/**
 * Cancels a run that is in flight, and its unsettled results. Queued jobs then find nothing to do, and a job that is
 * working on a page stops at its next step (docs/rules.md, Runs).
 * @throws AppError conflict when the run is over.
 */
export async function cancelRun(ctx: Pick<Context, 'db' | 'clock'>, { id, suite }: RunFor<'suite.run'>): Promise<Run> {
  const cancelled = await inTransaction(ctx.db, (trx) =>
    cancelInFlight(trx, ctx, id, { reason: 'cancelled by a user' }, suite.viewer),
  );
  if (!cancelled) throw conflict('The run has already finished', 'run_finished');
  const run = await findRun(ctx.db, id);
  if (run === null) throw notFound('Run');
  return run;
}

/** Repeats earlier approvals; returns how many results. Passed in, as runs/ must not import review/. */
export type CarryOverApprovals = (trx: Db, run: Run) => Promise<number>;

function closingLine({ status, metadata }: Outcome, results: PageResult[]): RunLogLine {
  const uncounted = describeUncounted(results);
  const counts = [
    `${formatNumber(metadata.passedTests ?? 0)} passed`,
    `${formatNumber(results.filter(isChanged).length)} changed`,
    formatCount(metadata.errorTests ?? 0, 'error'),
    ...(uncounted === '' ? [] : [uncounted]),
  ].join(', ');
  return {
    type: status === 'FAILED' ? 'ERROR' : 'SUCCESS',
    message: status === 'FAILED' ? `Run failed: ${metadata.error}` : `Run completed: ${counts}`,
    metadata: { ...metadata },
    progress: 100,
  };
}

/** The maximum number of selectors that a line of the log names. */
const UNMATCHED_NAMED = 20;

/** Stores which selectors of the run's rules matched nothing on any page, and warns of them. */
async function tellUnmatchedSelectors(trx: Db, { id, config }: Run): Promise<void> {
  const selectors =
    config.rules.length === 0 ? [] : findUnmatchedSelectors(config.rules, await findRuleMatches(trx, id));
  await setUnmatchedSelectors(trx, id, selectors);
  if (selectors.length === 0) return;
  const rest = selectors.length - UNMATCHED_NAMED;
  const named = selectors.slice(0, UNMATCHED_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  const message = `Rule selectors that matched nothing on any page: ${named}`;
  await appendLogs(trx, id, [{ type: 'WARNING', message, metadata: { code: 'selectors_unmatched' } }]);
}

/**
 * Some results may count because preview and site could be one server, although another page has since shown that they
 * are two.
 */
const areToldApartLate = (results: PageResult[]) =>
  results.some(({ servers }) => servers === 'MAYBE_ONE') && results.some(({ servers }) => servers === 'DIFFERENT');

/** More NEW pages than a suite can have. */
const NEW_PAGES_MAX = 100_000;

/** NEW pages that an earlier run captured as well no longer count as new. */
async function acknowledgeRepeated(trx: Db, { id, testSuiteId }: Run): Promise<void> {
  const fresh = await findNewPaths(trx, testSuiteId, NEW_PAGES_MAX);
  if (fresh.length === 0) return;
  await keepAcknowledged(trx, testSuiteId, await findRepeatedPaths(trx, { id, testSuiteId }, fresh));
}

/** What was not captured. Nothing is logged of what there is none. */
function countUncaptured({ metadata }: Run, results: PageResult[]): RunMetadata {
  const proven = results.filter(({ proof }) => proof?.state === 'USED').length;
  return withoutNulls({
    provenScreenshots: proven === 0 ? null : proven,
    removedPages: metadata?.removedPages ?? null,
  });
}

/** Job: ends a run whose results are all settled, with its counters and review gate. A second delivery does nothing. */
export async function finishRun(
  ctx: Pick<WorkerContext, 'db' | 'clock' | 'log' | 'measure'>,
  { runId }: { runId: string },
  carryOverApprovals: CarryOverApprovals,
): Promise<void> {
  const finished = await inTransaction(ctx.db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (run === null || run.status !== 'RUNNING') return null;
    await countStandIns(trx, runId);
    const settled = await findResults(trx, runId);
    if (settled.some((result) => result.status === 'PENDING')) return null;
    if (!(await judgeProofs(trx, run))) return null;
    const results = (await carryOverApprovals(trx, run)) === 0 ? settled : await findResults(trx, runId);
    const outcome = decideOutcome(results);
    const { status } = outcome;
    const metadata = { ...outcome.metadata, ...countUncaptured(run, results) };
    const gate = await findGateOfRun(trx, runId);
    const reviewState = decideReviewState(results, gate);
    await tellUnmatchedSelectors(trx, run);
    const line = closingLine(outcome, results);
    await endRun(
      trx,
      ctx,
      { ...run, ...gate },
      { from: ['RUNNING'], to: status, metadata, reviewState, results, line },
    );
    if (status === 'COMPLETED') await acknowledgeRepeated(trx, run);
    await queueMissedJudgement(trx, runId);
    if (areToldApartLate(results)) await enqueue(trx, 'judge-run', { runId });
    const number = run.runType === 'PR' ? run.git?.prNumber : undefined;
    if (number !== undefined) await queueJudgementsAbove(trx, run, number);
    // Baselines may have moved since its first pages were compared.
    if (run.runType === 'PR') await enqueue(trx, 'follow-baselines', { suiteId: run.testSuiteId });
    return { run, outcome };
  });
  if (finished === null) return;
  const { run, outcome } = finished;
  ctx.log.info({ runId, ...outcome }, 'run finished');
  ctx.measure('runs', { status: outcome.status }, 1);
  const secondsSince = (at: Date) => (ctx.clock.now().getTime() - at.getTime()) / 1000;
  ctx.measure('run_seconds', { status: outcome.status }, secondsSince(run.startedAt ?? run.createdAt));
  ctx.measure('verdict_seconds', { type: run.runType }, secondsSince(run.createdAt));
}

/** Called when the job that finishes a run failed at every attempt. */
export async function giveUpRun(ctx: Pick<Context, 'db' | 'clock'>, { runId }: { runId: string }): Promise<void> {
  const error = 'The run could not be finished';
  await inTransaction(ctx.db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (run === null) return;
    await endRun(trx, ctx, run, {
      from: ['RUNNING'],
      to: 'FAILED',
      metadata: { error },
      line: { type: 'ERROR', message: `Run failed: ${error}`, progress: 100 },
    });
  });
}
