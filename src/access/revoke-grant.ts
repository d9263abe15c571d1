import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Authorized } from './authorized.ts';
import { deleteGrant, findGrant } from './grant-store.ts';
import { refuseOwner } from './owner-role.ts';
import type { Grant, SharedSuite } from './grant.ts';

/** Returns whose grant it was. @throws AppError `not_found` (404), `owner_role_fixed` (409). */
export async function revokeGrant(
  { db }: Pick<Context, 'db'>,
  suite: SharedSuite & Authorized<'suite.share'>,
  { grantId }: { grantId: string },
): Promise<Pick<Grant, 'principal'>> {
  refuseOwner(suite, grantId);
  const grant = await findGrant(db, suite.id, grantId);
  const revoked = await deleteGrant(db, suite.id, grantId);
  if (grant === null || !revoked) throw notFound('Grant');
  return grant;
}
