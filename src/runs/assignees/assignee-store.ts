import { UserSummary } from '../../auth/user.ts';
import { computed, readRows, type Db } from '../../db/database.ts';
import { APPROVERS_SQL } from '../../suites/readable-sql.ts';
import type { RunFor } from '../read-run.ts';
import { ASSIGNEES_SQL, readAssigneesJson, type Assignee } from './assignee-sql.ts';

export async function findAssignees(db: Db, runId: string): Promise<Assignee[]> {
  const row = await db('test_runs')
    .where({ id: runId })
    .first(computed(db, 'assignees', 'text', ASSIGNEES_SQL));
  return row === null ? [] : readAssigneesJson(row.assignees);
}

/** The people who may review runs of a suite: its owner, who has no grant, and members whose role permits it. */
const REVIEWERS_SQL = `select user_id, null::uuid as grant_id from test_suites where id = :suiteId
  union all
  select granted.principal_id, granted.id from test_suite_grants as granted
  join test_suites as suite on suite.id = granted.test_suite_id and suite.user_id <> granted.principal_id
  where granted.test_suite_id = :suiteId and granted.principal_type = 'USER' and granted.role in (${APPROVERS_SQL})`;

/** The people who can be assigned to the run, by name. */
export async function readReviewers(db: Db, run: RunFor, limit: number): Promise<UserSummary[]> {
  return readRows(
    db,
    UserSummary,
    `select person.id, person.name, person.email, person.image from (${REVIEWERS_SQL}) as reviewer
     join users as person on person.id = reviewer.user_id and person.disabled_at is null
     order by lower(coalesce(person.name, person.email)), person.id limit :limit`,
    { suiteId: run.testSuiteId, limit },
  );
}

/** Existing assignments are not changed. @returns who is assigned now: only people who may review. */
export async function replaceAssignees(
  trx: Db,
  { runId, suiteId, userIds, assignedBy }: { runId: string; suiteId: string; userIds: string[]; assignedBy: string },
): Promise<Assignee[]> {
  await trx('run_assignees').where({ test_run_id: runId }).whereRaw('not (user_id = any(?))', [userIds]).delete();
  await trx.raw(
    `insert into run_assignees (test_run_id, user_id, grant_id, assigned_by)
     select :runId, reviewer.user_id, reviewer.grant_id, :assignedBy from (${REVIEWERS_SQL}) as reviewer
     where reviewer.user_id = any(:userIds)
     on conflict (test_run_id, user_id) do update set grant_id = excluded.grant_id`,
    { runId, suiteId, userIds, assignedBy },
  );
  // The check shows it.
  await trx('test_runs').where({ id: runId }).update({ updated_at: trx.fn.now() });
  return findAssignees(trx, runId);
}

/** Assigns a new run of a pull request to the same people as the previous one. */
export async function keepAssignees(trx: Db, run: { id: string }): Promise<void> {
  await trx.raw(
    `insert into run_assignees (test_run_id, user_id, grant_id, assigned_by, created_at)
     select run.id, assigned.user_id, assigned.grant_id, assigned.assigned_by, assigned.created_at
     from test_runs as run
     cross join lateral (
       select id from test_runs as before
       where before.test_suite_id = run.test_suite_id and before.git_owner = run.git_owner
         and before.git_repo = run.git_repo and before.git_pr_number = run.git_pr_number
         and before.run_type = 'PR' and before.id <> run.id
       order by before.created_at desc, before.id desc limit 1
     ) as last
     join run_assignees as assigned on assigned.test_run_id = last.id
     where run.id = ?`,
    [run.id],
  );
}
