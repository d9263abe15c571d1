import { promote } from '../../baselines/promote-results.ts';
import { keepMaking } from '../../baselines/version-store.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { CLOCK } from '../../events/event.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { formatCount, formatNumber, formatPercent } from '../../text/format.ts';
import { namePlace } from '../../text/readable-path.ts';
import { COVERED } from '../judging/ignored-areas.ts';
import { countUse } from '../judging/ignored-change-store.ts';
import { judgeResult, type Judgement } from '../judging/judge-result.ts';
import { appendLogs } from '../log/log-store.ts';
import { warningLine, type RunLogLine } from '../log/run-log.ts';
import { queueProgressUpdate } from '../queue-check-update.ts';
import { insertChanges } from '../results/change-store.ts';
import { buildPromotion } from '../results/promotion.ts';
import { findPendingResults, settlePendingResult, type ResultChange } from '../results/result-store.ts';
import {
  describeCause,
  rankSection,
  type FoundChange,
  type PageResult,
  type SettledStatus,
} from '../results/result.ts';
import { findRun, lockRun } from '../run-store.ts';
import { runTarget, sumResults, type Run } from '../run.ts';
import { handOver } from './open-runs.ts';

/** Whether the run captures another site than the suite's own. */
async function isOfPreview({ db }: Pick<Context, 'db'>, run: Run): Promise<boolean> {
  const suite = await findSuite(db, run.testSuiteId);
  return suite !== null && !runTarget(suite, run).isOwnSite;
}

/**
 * Has the page captured on the suite's own site as well, if its preview differs and only the site can show why.
 * @returns true when the result is left PENDING until then.
 */
async function askForControl(
  ctx: Pick<Context, 'db'>,
  run: Run,
  { result, judgement, lines }: { result: PageResult; judgement: Judgement; lines: RunLogLine[] },
): Promise<boolean> {
  const isChange = judgement.status === 'FAIL' && judgement.cause === 'CHANGE';
  if (!isChange || !run.config.control || result.controlState !== null || !(await isOfPreview(ctx, run))) return false;
  return handOver(ctx, result, 'capture', { controlState: 'DUE' }, lines);
}

/**
 * A difference that only assistive technology hears and that needs no review is reported once: later runs are compared
 * with what this run of the suite's own site has heard.
 */
async function followHeard(ctx: WorkerContext, run: Run, result: PageResult): Promise<void> {
  const { baselineVersionId, heardFile, status } = result;
  const follows = run.runType === 'MANUAL' && status === 'PASS' && !run.config.accessibilityGate;
  if (follows && baselineVersionId !== null && heardFile !== null)
    await keepMaking(ctx.db, baselineVersionId, { heardFile });
}

/** @param lines lines for the run's log that come first */
export async function compareResult(
  ctx: WorkerContext,
  run: Run,
  result: PageResult,
  lines: RunLogLine[] = [],
): Promise<void> {
  const { baselineFile, currentFile } = result;
  if (baselineFile === null || currentFile === null) return;
  const judgement = await judgeResult(ctx, run, { ...result, baselineFile, currentFile });
  if (judgement.status === 'ERROR') {
    await settleResult(ctx, result, { ...judgement, lines });
    return;
  }
  if (await askForControl(ctx, run, { result, judgement, lines })) return;
  const { ignoredChangeId, ...settlement } = judgement;
  const covered = (settlement.warnings ?? []).filter(({ code }) => code === COVERED);
  const said = [...lines, ...covered.map((warning) => warningLine(result, warning))];
  const settled = await settleResult(ctx, result, { ...settlement, lines: said });
  if (settled) await followHeard(ctx, run, { ...result, ...settlement });
  if (settled && ignoredChangeId !== null) await countUse(ctx.db, ignoredChangeId);
}

/**
 * Decides about each screenshot of a page that differs from its baseline and was not compared when it was taken. If it
 * needs the suite's own site, it decides again after that was captured.
 */
export async function comparePage(ctx: WorkerContext, payload: { runId: string; path: string }): Promise<void> {
  const run = await findRun(ctx.db, payload.runId);
  if (run?.status !== 'RUNNING') return;
  const pending = await findPendingResults(ctx.db, run.id, payload.path);
  for (const result of pending.filter(({ controlState }) => controlState !== 'DUE'))
    await compareResult(ctx, run, result);
}

export type Settlement = ResultChange & {
  status: SettledStatus;
  /** The note of the version that the screenshot becomes, because the baseline was captured in another way. */
  renewal?: string;
  /** What changed, if the result was compared. */
  changes?: FoundChange[];
  /** Lines for the run's log that come before the outcome. */
  lines?: RunLogLine[];
};

/** A difference that holds the gate may be one that only assistive technology hears. */
function describeDifference({ diffScore, heardKey = null, heardIds }: Settlement): string {
  const heard =
    heardKey === null ? null : `assistive technology hears ${formatCount(heardIds?.length ?? 0, 'difference')}`;
  const shown = `${formatPercent(diffScore ?? 0)} different`;
  if (heard === null) return shown;
  return diffScore === 0 ? heard : `${shown}, ${heard}`;
}

function lineFor(result: PageResult, settlement: Settlement, progress: number): RunLogLine {
  const where = namePlace(result);
  const { id: resultId, path, viewport } = result;
  const cause = settlement.cause ?? 'CHANGE';
  const metadata = {
    resultId,
    path,
    viewport,
    status: settlement.status,
    diffScore: settlement.diffScore ?? null,
  };
  switch (settlement.status) {
    case 'ERROR':
      return { type: 'ERROR', message: `${where}: ${settlement.error ?? 'failed'}`, metadata, progress };
    case 'FAIL':
      return cause === 'CHANGE'
        ? { type: 'INFO', message: `${where} changed: ${describeDifference(settlement)}`, metadata, progress }
        : {
            type: 'INFO',
            message: `${where} differs by ${formatPercent(settlement.diffScore ?? 0)}, which is not counted: ${describeCause(cause, settlement)}`,
            metadata: { ...metadata, cause },
            progress,
          };
    case 'PASS':
      return settlement.isNew === true
        ? { type: 'INFO', message: `${where} is new: no baseline to compare with`, metadata, progress }
        : { type: 'SUCCESS', message: `${where} is unchanged`, metadata, progress };
  }
}

/**
 * In a MANUAL run, the first screenshot of a page and viewport becomes version 1 without an approver, and so does one
 * that renews a version (docs/rules.md, Baselines).
 */
async function seed(trx: Db, run: Run, settled: PageResult, renewal: string | undefined): Promise<void> {
  const renews = renewal !== undefined;
  if (run.runType !== 'MANUAL' || settled.status !== 'PASS' || !(settled.isNew || renews)) return;
  // Such a run is of the suite's own site, with its settings.
  const suite = { id: run.testSuiteId, origin: new URL(settled.url).origin, config: run.config };
  const promotions = buildPromotion(settled, { source: 'INITIAL', approverId: null, note: renewal ?? null });
  await promote(
    trx,
    suite,
    promotions.map((promotion) => ({ ...promotion, diffScore: null, renews })),
    CLOCK,
  );
}

/** A result that the pull request leaves out neither fails its run nor counts as new. */
const asLeftOut = (settlement: Settlement): Settlement => ({ ...settlement, status: 'PASS', isNew: false });

/**
 * Writes a result's outcome. When it is the run's last one, the same transaction queues the job that finishes the run.
 * @returns false when the result was settled or cancelled in the meantime, or the run is gone; nothing is written then.
 */
export async function settleResult(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  result: PageResult,
  found: Settlement,
): Promise<boolean> {
  const settlement = result.leftOut ? asLeftOut(found) : found;
  return inTransaction(db, async (trx) => {
    const run = await lockRun(trx, result.testRunId);
    if (run === null || run.status !== 'RUNNING') return false;
    const { renewal, changes, lines = [], ...outcome } = settlement;
    if (!(await settlePendingResult(trx, result, outcome))) return false;
    if (changes !== undefined) await insertChanges(trx, result, changes);
    await seed(trx, run, { ...result, ...outcome }, renewal);
    await endSettling(trx, clock, run, 1, (progress) => [...lines, lineFor(result, settlement, progress)]);
    return true;
  });
}

/**
 * Records the run's progress after this many of its results have settled in this transaction, which has already locked
 * and read its row. With the last one, it queues the job that finishes the run: results settle one transaction at a
 * time, so exactly one of them sees that nothing is pending any more.
 */
export async function endSettling(
  trx: Db,
  clock: Context['clock'],
  run: Run,
  settled: number,
  describe: (progress: number) => RunLogLine[],
): Promise<void> {
  const total = sumResults(run);
  const pending = (run.sectionCounts[rankSection('pending')] ?? 0) - settled;
  const progress = total === 0 ? 100 : Math.round((1000 * (total - pending)) / total) / 10;
  await appendLogs(trx, run.id, [
    ...describe(progress),
    {
      type: 'PROGRESS',
      message: `${formatNumber(total - pending)} of ${formatCount(total, 'screenshot')} done`,
      progress,
    },
  ]);
  await queueProgressUpdate(trx, run, clock.now());
  if (pending === 0) await enqueue(trx, 'finish-run', { runId: run.id });
}
