import type { SuiteScope } from '../access/role.ts';
import { may, SUITE_ROLES } from '../access/role.ts';
import type { Db } from '../db/database.ts';
import { assertNever } from '../errors.ts';

/** Ids of the suites of others that are shared with the viewer, who is the one binding. */
export const SHARED_SUITES_SQL = `select suite.id from test_suite_grants as granted
  join test_suites as suite on suite.id = granted.test_suite_id and suite.user_id <> granted.principal_id
  where granted.principal_type = 'USER' and granted.principal_id = ?`;

/** The roles that may approve, as a list of literals. */
export const APPROVERS_SQL = SUITE_ROLES.filter((role) => may(role, 'suite.approve'))
  .map((role) => `'${role}'`)
  .join(', ');

/** Those of them in which the viewer may approve. */
export const REVIEWED_SUITES_SQL = `${SHARED_SUITES_SQL} and granted.role in (${APPROVERS_SQL})`;

/** Ids of the suites that the viewer may read, as a subquery: those to which `access/viewer-access.ts` gives them a role. */
export function readableSuiteIds(db: Db, viewerId: string, scope: SuiteScope = 'ALL') {
  const granted = db('test_suite_grants')
    .where({ principal_type: 'USER', principal_id: viewerId })
    .select('test_suite_id');
  const suites = db('test_suites').select('id');
  switch (scope) {
    case 'OWNED':
      return suites.where({ user_id: viewerId });
    case 'SHARED':
      return suites.whereNot({ user_id: viewerId }).whereIn('id', granted);
    case 'ALL':
      return suites.where((either) => void either.where({ user_id: viewerId }).orWhereIn('id', granted));
    default:
      return assertNever(scope);
  }
}
