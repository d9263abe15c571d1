import type { Viewer } from '../auth/viewer.ts';
import type { Permission, ViewerAccess } from './role.ts';
import { requirePermission } from './viewer-access.ts';

const authorised: unique symbol = Symbol('authorised');

/**
 * A suite for which the viewer has the permission. Only `authorise` makes it, so a function that takes it need not
 * check again. Without a type argument it is any permission, as each includes reading. It is marked by a symbol, which
 * JSON leaves out.
 */
export type Authorised<P extends Permission = Permission> = { readonly viewer: Viewer; readonly [authorised]: P };

/** @throws AppError forbidden `role_too_low` */
export function authorise<T extends { access: ViewerAccess }, P extends Permission>(
  viewer: Viewer,
  suite: T,
  permission: P,
): T & Authorised<P> {
  requirePermission(suite.access, permission);
  return { ...suite, viewer, [authorised]: permission };
}
