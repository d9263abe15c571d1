import type { Db } from '../../db/database.ts';
import { formatCount } from '../../text/format.ts';
import { appendLogs } from '../log/log-store.ts';
import { openCaptureSlots } from '../page-jobs/slots.ts';
import type { Run } from '../run.ts';
import { addToRecord } from './proof.ts';
import { dropProofs, findRecord, saveRecord, tallyProofs } from './proof-store.ts';

/**
 * Counts how the proofs of a run came out, once all its results have settled. When a screenshot contradicts one of them, the
 * suite's proofs are no longer trusted, and those that were used are captured after all.
 * @returns false when the run goes on for that reason.
 */
export async function judgeProofs(trx: Db, run: Run): Promise<boolean> {
  const found = await tallyProofs(trx, run.id);
  // Of a run whose proofs were dropped, only what has turned out to be wrong since is news.
  if (found.proven === 0 || (found.dropped > 0 && found.wrong === 0)) return true;
  const { screenshots, proven, wrong, used } = found;
  const record = await findRecord(trx, run.testSuiteId);
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
