import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { formatCount } from '../../text/format.ts';
import { appendLogs } from '../log/log-store.ts';
import { openCaptureSlots } from '../page-jobs/open-runs.ts';
import type { Run } from '../run.ts';
import { dropProofs, findRecord, lockRecord, saveRecord, tallyProofs } from './proof-store.ts';
import { addToRecord, describeRecord } from './proof.ts';

/**
 * Counts correct and wrong proofs of a run once all its results have settled. If a screenshot contradicts one of them,
 * the suite's proofs are no longer trusted, and pages that passed by proof are captured after all. @returns false if
 * the run continues for that reason.
 */
export async function judgeProofs(trx: Db, run: Run): Promise<boolean> {
  const found = await tallyProofs(trx, run.id);
  // Of a run that has ended before, only proofs that turned out to be wrong since then are counted.
  const isCounted = run.metadata?.totalScreenshots !== undefined;
  if (found.proven === 0 || (isCounted && found.wrong === 0)) return true;
  const { screenshots, proven, wrong, used } = found;
  const record = await lockRecord(trx, run.testSuiteId);
  await saveRecord(trx, run.testSuiteId, addToRecord(record, { screenshots, proven, wrong }));
  if (wrong === 0) return true;
  const contradicted = `${formatCount(wrong, 'screenshot')} differed although the site serves what it served before`;
  const pages = used === 0 ? [] : await dropProofs(trx, run.id);
  const consequence =
    used === 0
      ? 'Proofs of this suite are counted and not used until ten runs have none that is wrong.'
      : `The ${formatCount(used, 'screenshot')} that were proven unchanged are captured after all, and proofs of this suite are not used until ten runs have none that is wrong.`;
  const message = `${contradicted}. ${consequence}`;
  await appendLogs(trx, run.id, [
    { type: 'WARNING', message, metadata: { code: 'proof_wrong', wrong, dropped: used } },
  ]);
  if (pages.length > 0) await openCaptureSlots(trx, run);
  return pages.length === 0;
}

/** The state of a suite's proofs, in sentences for its page. Null if there is nothing to report. */
export async function describeProofs({ db }: Pick<Context, 'db'>, suite: SuiteFor): Promise<string | null> {
  return describeRecord(await findRecord(db, suite.id), suite);
}
