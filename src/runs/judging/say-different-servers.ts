import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { conflict } from '../../errors.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { keepDifferentServers } from '../../suites/different-servers.ts';
import { appendLogs } from '../log/log-store.ts';
import type { RunFor } from '../read-run.ts';
import { findDoubtedRuns } from './judged-run-store.ts';
import { previewKind } from './preview-kind.ts';

const MAX_RUNS = 100;

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
    if (!(await keepDifferentServers(trx, suite.id, { kind, differ }))) return;
    const { name, email } = suite.viewer;
    const says = differ ? 'are different servers' : 'may be one server';
    const message = `${name ?? email} said that ${kind === 'pull requests' ? 'previews of pull requests' : kind} and the site ${says}`;
    await appendLogs(trx, id, [{ type: 'SYSTEM', message }]);
    const runs = await findDoubtedRuns(trx, suite.id, MAX_RUNS);
    for (const each of runs) await enqueue(trx, 'judge-run', { runId: each.id });
  });
}
