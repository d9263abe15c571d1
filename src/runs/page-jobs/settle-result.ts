import { promote } from '../../baselines/promote-results.ts';
import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { CLOCK } from '../../events/event.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { formatCount, formatNumber, formatPercent } from '../../text/format.ts';
import { appendLogs } from '../log/log-store.ts';
import type { RunLogLine } from '../log/run-log.ts';
import { queueProgressUpdate } from '../queue-check-update.ts';
import { describeCause } from '../results/cause-words.ts';
import { insertChanges } from '../results/change-store.ts';
import type { FoundChange } from '../results/change.ts';
import { buildPromotion } from '../results/promotion.ts';
import { settlePendingResult, type ResultChange } from '../results/result-store.ts';
import type { PageResult, SettledStatus } from '../results/result.ts';
import { rankSection } from '../results/review-section.ts';
import { lockRun } from '../run-store.ts';
import { sumResults, type Run } from '../run.ts';

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
  const where = `${result.path} at ${result.viewport}`;
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
