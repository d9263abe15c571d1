import { promote } from '../../baselines/promote-results.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { CLOCK } from '../../events/event.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { formatCount, formatNumber, formatPercent } from '../../text/format.ts';
import { appendLogs } from '../log/log-store.ts';
import type { RunLogLine } from '../log/run-log.ts';
import { queueProgressUpdate } from '../queue-check-update.ts';
import { describeCause } from '../results/cause-words.ts';
import { insertChanges } from '../results/change-store.ts';
import type { FoundChange } from '../results/change.ts';
import { settlePendingResult, type ResultChange } from '../results/result-store.ts';
import type { PageResult, SettledStatus } from '../results/result.ts';
import { rankSection } from '../results/review-section.ts';
import { lockRun } from '../run-store.ts';
import type { Run } from '../run.ts';

export type Settlement = ResultChange & {
  status: SettledStatus;
  /** The baseline version that the screenshot replaces automatically, because it was captured in another way. */
  renews?: { versionId: string; note: string };
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
async function seed(trx: Db, run: Run, result: PageResult, settlement: Settlement): Promise<void> {
  const { renews } = settlement;
  const isSeed = run.runType === 'MANUAL' && settlement.status === 'PASS' && (settlement.isNew === true || renews);
  const filePath = settlement.currentFile ?? result.currentFile;
  if (!isSeed || filePath === null) return;
  // Such a run is of the suite's own site, with its settings.
  const suite = { id: run.testSuiteId, origin: new URL(result.url).origin, config: run.config };
  await promote(
    trx,
    suite,
    [
      {
        path: result.path,
        viewport: result.viewport,
        filePath,
        source: 'INITIAL',
        approvedById: null,
        testRunId: run.id,
        pageResultId: result.id,
        diffScore: null,
        comparedVersionId: renews?.versionId ?? null,
        renews: renews !== undefined,
        prNumber: null,
        note: renews?.note ?? null,
        captureEngine: settlement.captureEngine ?? null,
        compareEngine: null,
        atRest: settlement.atRest ?? false,
        captureWay: settlement.captureWay ?? null,
        elementsFile: settlement.elementsFile ?? null,
        manifestFile: settlement.manifestFile ?? null,
        heardFile: settlement.heardFile ?? null,
      },
    ],
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
    const { renews: _, changes, lines = [], ...outcome } = settlement;
    if (!(await settlePendingResult(trx, result, outcome))) return false;
    if (changes !== undefined) await insertChanges(trx, result, changes);
    await seed(trx, run, result, settlement);
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
  const total = run.sectionCounts.reduce((sum, results) => sum + results, 0);
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
