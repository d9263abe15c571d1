import type { Viewer } from '../auth/user.ts';
import { forbidden } from '../errors.ts';
import { capitalize } from '../text/format.ts';
import { isWithinScopes, leastRole, may, type Permission, type SuiteRole, type ViewerAccess } from './role.ts';

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

const authorized: unique symbol = Symbol('authorized');

/**
 * A suite for which the viewer has the permission. Only `authorize` makes it, so a function that takes it need not
 * check again. Without a type argument it stands for any permission, because each includes reading. The mark is a
 * symbol, which JSON leaves out.
 */
export type Authorized<P extends Permission = Permission> = { readonly viewer: Viewer; readonly [authorized]: P };

/**
 * It does not depend on the suite, so call it before revealing anything.
 * @throws AppError forbidden `token_scope`
 */
export function requireScope({ within }: Viewer, permission: Permission): void {
  if (within === undefined || isWithinScopes(within.scopes, permission)) return;
  throw forbidden(`The scopes of this token (${within.scopes.join(', ')}) do not permit this`, 'token_scope');
}

/** False for other suites than that of the token, which it must not find out about. */
export const isWithinToken = ({ within }: Viewer, suiteId: string) =>
  within === undefined || within.suiteId === suiteId;

/**
 * Call it before revealing anything about the suite: the answer is the same whether or not it exists.
 * @throws AppError forbidden `token_scope`
 */
export function requireWithinToken(viewer: Viewer, suiteId: string, permission: Permission): void {
  if (!isWithinToken(viewer, suiteId)) throw forbidden('This token belongs to another suite', 'token_scope');
  requireScope(viewer, permission);
}

/** The commit that a workflow acts for: in a pull request its head, not the test merge. Null for all other callers. */
export function ownCommit({ within }: Viewer): string | null {
  if (within?.workflow === undefined) return null;
  const { commits, pullRequest } = within.workflow;
  return commits[pullRequest === null ? 0 : 1] ?? null;
}

/**
 * A workflow may cancel and repeat only runs of its own commit. A MANUAL run belongs to no commit, because it captures
 * the suite's own site.
 * @throws AppError forbidden `token_commit`
 */
export function requireOwnRun(
  viewer: Viewer,
  { runType, git }: { runType: string; git: { headSha?: string | undefined; prNumber?: number | undefined } | null },
): void {
  if (viewer.within?.workflow === undefined) return;
  if (runType === 'MANUAL' || git?.headSha === undefined) {
    throw forbidden('This workflow’s token is for runs of its own commit, and this run has no commit', 'token_commit');
  }
  requireOwnWork(viewer, git);
}

/**
 * A workflow may act only for its own commit and pull request, so nothing that it sends can pass for another's.
 * @throws AppError forbidden `token_commit`
 */
export function requireOwnWork(
  { within }: Viewer,
  { headSha = null, prNumber = null }: { headSha?: string | null | undefined; prNumber?: number | null | undefined },
): void {
  const workflow = within?.workflow;
  if (workflow === undefined) return;
  const { commits, pullRequest } = workflow;
  if (headSha !== null && !commits.includes(headSha)) {
    throw forbidden(`This workflow’s token is for ${commits.join(', ')}, not for ${headSha}`, 'token_commit');
  }
  if (prNumber === null || prNumber === pullRequest) return;
  const own = pullRequest === null ? 'no pull request' : `pull request ${pullRequest}`;
  throw forbidden(`This workflow’s token is for ${own}, not for ${prNumber}`, 'token_commit');
}

/** @throws AppError forbidden `role_too_low` */
export function authorize<T extends { access: ViewerAccess }, P extends Permission>(
  viewer: Viewer,
  suite: T,
  permission: P,
): T & Authorized<P> {
  requirePermission(suite.access, permission);
  return { ...suite, viewer, [authorized]: permission };
}
