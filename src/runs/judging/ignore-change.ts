import { toActor } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { cutList, type Listed, type TimePart, type TimePlace } from '../../db/list-part.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import type { ResultFor } from '../read-run.ts';
import { forgetCountedAsChange } from '../results/result-store.ts';
import {
  countIgnoredChanges,
  deleteIgnoredChange,
  findIgnoredChange,
  findIgnoredChanges,
  findMatchingIgnoredChange,
  saveIgnoredChange,
} from './ignored-change-store.ts';
import { fingerprintOf, type IgnoredChange } from './ignored-change.ts';

/** One part of them, newest first, with the number of all. */
export async function listIgnoredChanges(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  part: TimePart,
): Promise<Listed<IgnoredChange, TimePlace> & { total: number }> {
  const [found, total] = await Promise.all([
    findIgnoredChanges(db, suite.id, { ...part, limit: part.limit + 1 }),
    countIgnoredChanges(db, suite.id),
  ]);
  return { ...cutList(found, part.limit, ({ place }) => place), total };
}

/** The ignored change that applies to the result now. Null: none. */
export async function readIgnoredChange(
  { db }: Pick<Context, 'db'>,
  { run, ...result }: ResultFor,
): Promise<IgnoredChange | null> {
  const { baselineFile, currentFile } = result;
  if (baselineFile === null || currentFile === null) return null;
  const id = await findMatchingIgnoredChange(db, run.testSuiteId, { ...result, baselineFile, currentFile });
  return id === null ? null : findIgnoredChange(db, run.testSuiteId, id);
}

/**
 * Ignores the exact change of the result, for its page and viewport. Until this is revoked or expires, the same change
 * does not hold a gate. Open gates are judged again, now and when it expires. It overrules an earlier “count as a change” of the result.
 * @throws AppError invalid if the expiry is in the past; conflict when the result does not differ from a baseline.
 */
export async function ignoreChange(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { run, ...result }: ResultFor<'suite.approve'>,
  { note, expiresAt }: { note: string | null; expiresAt: Date | null },
): Promise<IgnoredChange> {
  const { path, viewport, baselineFile, currentFile } = result;
  if (result.status !== 'FAIL' || baselineFile === null || currentFile === null) {
    throw conflict('The result has no change to ignore', 'no_change');
  }
  if (expiresAt !== null && expiresAt <= clock.now()) {
    throw invalid('The request is not valid', [{ path: 'expiresAt', message: 'must be in the future' }]);
  }
  const draft = { path, viewport, baselineFile, currentFile, note, expiresAt };
  const fingerprint = fingerprintOf({ ...result, baselineFile, currentFile });
  return inTransaction(db, async (trx) => {
    const suiteId = run.suite.id;
    const id = await saveIgnoredChange(trx, suiteId, { ...draft, fingerprint, authorId: run.suite.viewer.id });
    await forgetCountedAsChange(trx, result.id);
    await recordEvent(trx, toActor(run.suite.viewer), {
      kind: 'change.ignored',
      suiteId,
      runId: run.id,
      details: { path, viewport, note, expiresAt: expiresAt?.toISOString() ?? null },
    });
    await enqueue(trx, 'judge-suite', { suiteId });
    if (expiresAt !== null)
      await enqueue(trx, 'judge-suite', { suiteId }, { key: `judge-suite/${suiteId}/${id}`, runAt: expiresAt });
    const saved = await findIgnoredChange(trx, suiteId, id);
    if (saved === null) throw new Error('An ignored change was not saved');
    return saved;
  });
}

/** Open gates are judged again. @throws AppError not_found. */
export async function revokeIgnoredChange(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.approve'>,
  id: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const ignored = await findIgnoredChange(trx, suite.id, id);
    if (ignored === null || !(await deleteIgnoredChange(trx, suite.id, id))) throw notFound('Ignored change');
    const details = { path: ignored.path, viewport: ignored.viewport };
    await recordEvent(trx, toActor(suite.viewer), { kind: 'change.unignored', suiteId: suite.id, details });
    await enqueue(trx, 'judge-suite', { suiteId: suite.id });
  });
}
