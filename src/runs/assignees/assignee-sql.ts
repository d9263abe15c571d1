import { z } from 'zod';
import { UserSummary } from '../../auth/user.ts';
import { APPROVERS_SQL } from '../../suites/readable-sql.ts';

/**
 * Assignments to a `person` who may still review: their role may have been lowered, their account disabled, or their
 * suite handed over. @param which a condition on `assigned`
 */
export const assignedSql = (which: string): string => `run_assignees as assigned
  join users as person on person.id = assigned.user_id and person.disabled_at is null
  join test_runs as run on run.id = assigned.test_run_id
  join test_suites as suite on suite.id = run.test_suite_id
  left join test_suite_grants as granted on granted.test_suite_id = suite.id and granted.principal_type = 'USER'
    and granted.principal_id = person.id
  where ${which} and (suite.user_id = person.id or granted.role in (${APPROVERS_SQL}))`;

/** Ids of the runs that are assigned to a person, who is the one binding. */
export const ASSIGNED_RUNS_SQL = `select assigned.test_run_id from ${assignedSql('assigned.user_id = ?')}`;

/** Who a row of `test_runs` is assigned to, in that order, as JSON for `readAssigneesJson`. */
export const ASSIGNEES_SQL = `(
  select coalesce(json_agg(json_build_object(
    'id', person.id, 'name', person.name, 'email', person.email, 'image', person.image,
    'login', (
      select account.login from accounts as account
      where account.user_id = person.id and account.login is not null order by account.created_at limit 1)
  ) order by assigned.created_at, person.id), '[]')
  from ${assignedSql('assigned.test_run_id = test_runs.id')})`;

const Assignees = z.array(UserSummary.and(z.object({ login: z.string().nullable() })));
/** Somebody who was asked to review a run, and may. `login`: the name of their linked account on the code host. */
export type Assignee = z.output<typeof Assignees>[number];

export const readAssigneesJson = (text: string): Assignee[] => Assignees.parse(JSON.parse(text));
