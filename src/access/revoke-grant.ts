import { toActor } from '../auth/to-actor.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { notFound } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Authorized } from './authorized.ts';
import { deleteGrant, findGrant } from './grant-store.ts';
import type { Grant, SharedSuite } from './grant.ts';
import { refuseOwner } from './owner-role.ts';
import { nameGrantee } from './record-grant.ts';

/** Returns whose grant it was. @throws AppError `not_found` (404), `owner_role_fixed` (409). */
export async function revokeGrant(
  { db }: Pick<Context, 'db'>,
  suite: SharedSuite & Authorized<'suite.share'>,
  { grantId }: { grantId: string },
): Promise<Pick<Grant, 'principal'>> {
  refuseOwner(suite, grantId);
  return inTransaction(db, async (trx) => {
    const grant = await findGrant(trx, suite.id, grantId);
    const revoked = await deleteGrant(trx, suite.id, grantId);
    if (grant === null || !revoked) throw notFound('Grant');
    const details = { ...nameGrantee(grant), role: grant.role };
    await recordEvent(trx, toActor(suite.viewer), { kind: 'access.revoked', suiteId: suite.id, details });
    return grant;
  });
}
