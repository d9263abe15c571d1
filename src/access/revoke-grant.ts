import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Authorized } from './authorized.ts';
import { deleteGrant } from './grant-store.ts';
import { refuseOwner } from './owner-role.ts';
import type { SharedSuite } from './grant.ts';

/** @throws AppError `not_found` (404), `owner_role_fixed` (409). */
export async function revokeGrant(
  { db }: Pick<Context, 'db'>,
  suite: SharedSuite & Authorized<'suite.share'>,
  { grantId }: { grantId: string },
): Promise<void> {
  refuseOwner(suite, grantId);
  const revoked = await deleteGrant(db, suite.id, grantId);
  if (!revoked) throw notFound('Grant');
}
