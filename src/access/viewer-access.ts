import type { Db } from '../db/database.ts';
import { forbidden, notFound } from '../errors.ts';
import { listUserRoles } from './grant-store.ts';
import type { SharedSuite } from './grant.ts';
import { leastRole, may } from './role.ts';
import type { Permission, SuiteRole, ViewerAccess } from './role.ts';

const OWNER_ACCESS: ViewerAccess = { role: 'ADMIN', isOwner: true, via: 'OWNER', team: null };

/** By suite id, in one query for any number of suites. A suite that is not in the map does not exist for the viewer. */
export async function accessTo(
  db: Db,
  viewerId: string,
  suites: readonly SharedSuite[],
): Promise<Map<string, ViewerAccess>> {
  const owned = suites.filter((suite) => suite.userId === viewerId).map((suite) => suite.id);
  const others = suites.filter((suite) => suite.userId !== viewerId).map((suite) => suite.id);
  const roles = others.length === 0 ? [] : await listUserRoles(db, viewerId, others);
  return new Map([
    ...owned.map((id): [string, ViewerAccess] => [id, OWNER_ACCESS]),
    ...roles.map((grant): [string, ViewerAccess] => [grant.testSuiteId, grantedAccess(grant.role)]),
  ]);
}

function grantedAccess(role: SuiteRole): ViewerAccess {
  return { role, isOwner: false, via: 'USER_GRANT', team: null };
}

/**
 * Contract 4: a suite that the viewer has no access to is not there for them (404); too low a role is refused (403).
 * @throws AppError `not_found`, `role_too_low`.
 */
export function requirePermission(access: ViewerAccess | undefined, permission: Permission): ViewerAccess {
  if (access === undefined) throw notFound('Suite');
  if (!may(access.role, permission)) {
    throw forbidden(
      `Your role on this suite is ${access.role}, but this action requires ${leastRole(permission)}`,
      'role_too_low',
    );
  }
  return access;
}
