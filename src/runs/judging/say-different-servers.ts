import { displayName } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { conflict } from '../../errors.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { findDifferentServers, keepDifferentServers } from '../../suites/suite-store.ts';
import { appendLogs } from '../log/log-store.ts';
import type { RunFor } from '../read-run.ts';
import type { Run } from '../run.ts';
import { findDoubtedRuns } from './judged-run-store.ts';

const MAX_RUNS = 100;

/**
 * The previews that a person means by saying that one is on another server than the site: all previews of pull requests,
 * whose hosts differ by number, or, for other runs, those at the same origin.
 */
const previewKind = ({ runType, targetBaseUrl }: Pick<Run, 'runType' | 'targetBaseUrl'>): string =>
  runType === 'PR' ? 'pull requests' : new URL(targetBaseUrl).origin;

/**
 * Stores what a person says about the run's preview and the suite's own site: that they are different servers, so that
 * differences in both are drift, or that they may be one. It holds for all previews of pull requests, or for those at
 * the same origin. Open runs are judged again.
 * @throws AppError conflict for a run of the site itself.
 */
export async function sayDifferentServers(
  { db }: Pick<Context, 'db'>,
  { id, suite, ...run }: RunFor<'suite.approve'>,
  { differ }: { differ: boolean },
): Promise<void> {
  if (run.runType === 'MANUAL') throw conflict('This run captured the suite’s own site', 'no_preview');
  const kind = previewKind(run);
  await inTransaction(db, async (trx) => {
    if (!(await keepDifferentServers(trx, suite.id, kind, differ))) return;
    const says = differ ? 'are different servers' : 'may be one server';
    const message = `${displayName(suite.viewer)} said that ${kind === 'pull requests' ? 'previews of pull requests' : kind} and the site ${says}`;
    await appendLogs(trx, id, [{ type: 'SYSTEM', message }]);
    for (const runId of await findDoubtedRuns(trx, suite.id, MAX_RUNS)) await enqueue(trx, 'judge-run', { runId });
  });
}

/** Whether a person said that the run's preview is on another server than the site. */
export async function isSaidDifferent(
  db: Db,
  run: Pick<Run, 'testSuiteId' | 'runType' | 'targetBaseUrl'>,
): Promise<boolean> {
  return (await findDifferentServers(db, run.testSuiteId)).includes(previewKind(run));
}
