import type { UserSummary } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { unprocessable } from '../../errors.ts';
import { queueCheckUpdate } from '../queue-check-update.ts';
import type { RunFor } from '../read-run.ts';
import { copyAssignees, findAssignees, findReviewers, replaceAssignees } from './assignee-store.ts';
import type { Assignee } from './assignee.ts';

/** The maximum number of people that are offered, and that can be assigned to one run. */
export const REVIEWERS_MAX = 100;

/** The people who can be assigned to the run, by name. */
export async function listReviewers({ db }: Pick<Context, 'db'>, run: RunFor): Promise<UserSummary[]> {
  return findReviewers(db, run.testSuiteId, REVIEWERS_MAX);
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
    const assigned = await replaceAssignees(trx, { runId: run.id, suiteId: run.testSuiteId, userIds, assignedBy });
    if (assigned < userIds.length) {
      throw unprocessable('Only people who may review this suite can be assigned', 'not_a_reviewer');
    }
    await queueCheckUpdate(trx, run, 'now');
    return findAssignees(trx, run.id);
  });
  log.info({ runId: run.id, userId: assignedBy, assignees: userIds }, 'assigned a run');
  return assignees;
}

/** Assigns a new run of a pull request to the same people as the previous one. */
export async function keepAssignees(trx: Db, run: { id: string }): Promise<void> {
  await copyAssignees(trx, run.id);
}
