import type { Viewer } from '../auth/viewer.ts';
import { forbidden } from '../errors.ts';
import type { Permission, ViewerAccess } from './role.ts';
import { isWithinScopes } from './role.ts';
import { requirePermission } from './viewer-access.ts';

const authorized: unique symbol = Symbol('authorized');

/**
 * A suite for which the viewer has the permission. Only `authorize` makes it, so a function that takes it need not
 * check again. Without a type argument it is any permission, as each includes reading. It is marked by a symbol, which
 * JSON leaves out.
 */
export type Authorized<P extends Permission = Permission> = { readonly viewer: Viewer; readonly [authorized]: P };

/**
 * Call it before anything else is told about the suite: a token of one suite must not find out about others.
 * @throws AppError forbidden `token_scope`
 */
export function requireWithinToken({ within }: Viewer, suiteId: string, permission: Permission): void {
  if (within === undefined) return;
  if (within.suiteId !== suiteId) throw forbidden('This token belongs to another suite', 'token_scope');
  if (isWithinScopes(within.scopes, permission)) return;
  throw forbidden(`The scopes of this token (${within.scopes.join(', ')}) do not permit this`, 'token_scope');
}

/**
 * A workflow speaks for its own commit and pull request only: nothing that it sends can pass for another's.
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
    throw forbidden(`This workflow's token is for ${commits.join(', ')}, not for ${headSha}`, 'token_commit');
  }
  if (prNumber === null || prNumber === pullRequest) return;
  const own = pullRequest === null ? 'no pull request' : `pull request ${pullRequest}`;
  throw forbidden(`This workflow's token is for ${own}, not for ${prNumber}`, 'token_commit');
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
