import { may, SUITE_ROLES } from '../access/role.ts';
import type { Db } from '../db/database.ts';

/** Ids of other people's suites that are shared with the viewer, who is the only binding. */
export const SHARED_SUITES_SQL = `select suite.id from test_suite_grants as granted
  join test_suites as suite on suite.id = granted.test_suite_id and suite.user_id <> granted.principal_id
  where granted.principal_type = 'USER' and granted.principal_id = ?`;

/**
 * Unites a selection from the viewer's own suites with the same from suites that are shared with them. Each half has an
 * index; no index serves both. The viewer is the first binding of each half.
 * @param select a whole statement, in brackets if it is ordered, by a condition on `test_suites`
 */
export const ownAndSharedSql = (select: (suites: string) => string): string =>
  `${select('user_id = ?')} union all ${select(`id in (${SHARED_SUITES_SQL})`)}`;

/** The roles that may approve, as a list of literals. */
export const APPROVERS_SQL = SUITE_ROLES.filter((role) => may(role, 'suite.approve'))
  .map((role) => `'${role}'`)
  .join(', ');

/** The suites in which the viewer may approve. */
export const REVIEWED_SUITES_SQL = `${SHARED_SUITES_SQL} and granted.role in (${APPROVERS_SQL})`;

/** Ids of the suites that the viewer may read, as a subquery: those to which `access/authorized.ts` gives them a role. */
export function readableSuiteIds(db: Db, viewerId: string) {
  const granted = db('test_suite_grants')
    .where({ principal_type: 'USER', principal_id: viewerId })
    .select('test_suite_id');
  return db('test_suites')
    .where((either) => void either.where({ user_id: viewerId }).orWhereIn('id', granted))
    .select('id');
}
