import { personName, toActor } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { unprocessable } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { queueCheckUpdate } from '../queue-check-update.ts';
import type { RunFor } from '../read-run.ts';
import { aboutRun } from '../run-name.ts';
import { lockRun } from '../run-store.ts';
import type { Assignee } from './assignee-sql.ts';
import { findAssignees, replaceAssignees } from './assignee-store.ts';

/** The maximum number of people that are offered, and that can be assigned to one run. */
export const REVIEWERS_MAX = 100;

/** The people of the first list that are not in the second one. */
const without = (people: Assignee[], others: Assignee[]) =>
  people
    .filter(({ id }) => others.every((other) => other.id !== id))
    .map((person) => ({ id: person.id, name: personName(person) }));

async function recordAssignment(trx: Db, run: RunFor, before: Assignee[], after: Assignee[]): Promise<void> {
  const [assigned, removed] = [without(after, before), without(before, after)];
  if (assigned.length + removed.length === 0) return;
  await recordEvent(trx, toActor(run.suite.viewer), {
    kind: 'review.assigned',
    ...aboutRun(run, { assigned, removed }),
  });
}

/**
 * Assigns the run to exactly these people. People who are removed from the suite are no longer assigned.
 * @throws AppError `not_a_reviewer` (422); nothing changes then.
 */
export async function assignRun(
  { db, log }: Pick<Context, 'db' | 'log'>,
  run: RunFor<'suite.approve'>,
  people: readonly string[],
): Promise<Assignee[]> {
  const userIds = [...new Set(people)];
  const assignedBy = run.suite.viewer.id;
  const assignees = await inTransaction(db, async (trx) => {
    await lockRun(trx, run.id);
    const before = await findAssignees(trx, run.id);
    const after = await replaceAssignees(trx, { runId: run.id, suiteId: run.testSuiteId, userIds, assignedBy });
    if (after.length < userIds.length) {
      throw unprocessable('Only people who may review this suite can be assigned', 'not_a_reviewer');
    }
    await queueCheckUpdate(trx, run, 'now');
    await recordAssignment(trx, run, before, after);
    return after;
  });
  log.info({ runId: run.id, userId: assignedBy, assignees: userIds }, 'assigned a run');
  return assignees;
}
