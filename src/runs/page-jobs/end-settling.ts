import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import { appendLogs } from '../log/log-store.ts';
import type { RunLogLine } from '../log/run-log.ts';
import { queueProgressUpdate } from '../queue-check-update.ts';
import { rankSection } from '../results/review-section.ts';
import type { Run } from '../run.ts';

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
