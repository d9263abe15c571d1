import { forbidden } from '../errors.ts';
import { capitalize } from '../text/format.ts';
import { leastRole, may, type Permission, type SuiteRole, type ViewerAccess } from './role.ts';

/**
 * The viewer's access to a suite (docs/rules.md, Who may do what). Null when they have none. Keep this in line with
 * `readableSuiteIds`, the SQL form.
 */
export function effectiveAccess(
  viewerId: string,
  suite: { ownerId: string; grantedRole: SuiteRole | null },
): ViewerAccess | null {
  if (suite.ownerId === viewerId) return { role: 'ADMIN', isOwner: true, via: 'OWNER', team: null };
  return suite.grantedRole === null ? null : { role: suite.grantedRole, isOwner: false, via: 'USER_GRANT', team: null };
}

const nameRole = (role: SuiteRole) => capitalize(role.toLowerCase());

/** @throws AppError forbidden `role_too_low` */
export function requirePermission({ role }: ViewerAccess, permission: Permission): void {
  if (may(role, permission)) return;
  throw forbidden(
    `You need the ${nameRole(leastRole(permission))} role on this suite. You have ${nameRole(role)}.`,
    'role_too_low',
  );
}
