import { z } from 'zod';
import { UserSummary } from '../../auth/user.ts';
import { APPROVERS_SQL } from '../../suites/readable-sql.ts';

/**
 * A condition on an assignment and its grant. Without a grant it is the owner's. A member whose role was lowered may no
 * longer review.
 */
const MAY_REVIEW_SQL = `(assigned.grant_id is null or granted.role in (${APPROVERS_SQL}))`;

const ASSIGNED_SQL =
  'run_assignees as assigned left join test_suite_grants as granted on granted.id = assigned.grant_id';

/** Ids of the runs that are assigned to a person, who is the one binding. */
export const ASSIGNED_RUNS_SQL = `select assigned.test_run_id from ${ASSIGNED_SQL}
  where assigned.user_id = ? and ${MAY_REVIEW_SQL}`;

/** Who a row of `test_runs` is assigned to, in that order, as JSON for `readAssigneesJson`. */
export const ASSIGNEES_SQL = `(
  select coalesce(json_agg(json_build_object(
    'id', person.id, 'name', person.name, 'email', person.email, 'image', person.image,
    'login', (
      select account.login from accounts as account
      where account.user_id = person.id and account.login is not null order by account.created_at limit 1)
  ) order by assigned.created_at, person.id), '[]')
  from ${ASSIGNED_SQL} join users as person on person.id = assigned.user_id
  where assigned.test_run_id = test_runs.id and ${MAY_REVIEW_SQL})`;

const Assignees = z.array(UserSummary.and(z.object({ login: z.string().nullable() })));
/** Somebody who was asked to review a run, and may. `login`: the name of their linked account on the code host. */
export type Assignee = z.output<typeof Assignees>[number];

export const readAssigneesJson = (text: string): Assignee[] => Assignees.parse(JSON.parse(text));
