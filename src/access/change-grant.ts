import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { notFound } from '../errors.ts';
import type { Authorized } from './authorized.ts';
import { findGrant, updateGrantRole, upsertUserGrant } from './grant-store.ts';
import type { Grant, SharedSuite } from './grant.ts';
import { refuseOwner } from './owner-role.ts';
import { recordGrant } from './record-grant.ts';
import { rolesBelow, type SuiteRole } from './role.ts';

/** @throws AppError `not_found` (404), `owner_role_fixed` (409). */
export async function changeGrant(
  { db }: Pick<Context, 'db'>,
  suite: SharedSuite & Authorized<'suite.share'>,
  { grantId, role }: { grantId: string; role: SuiteRole },
): Promise<Grant> {
  refuseOwner(suite, grantId);
  return inTransaction(db, async (trx) => {
    const before = await findGrant(trx, suite.id, grantId);
    const changed = await updateGrantRole(trx, suite.id, grantId, role);
    const grant = changed ? await findGrant(trx, suite.id, grantId) : null;
    if (grant === null) throw notFound('Grant');
    await recordGrant(trx, suite, grant, before?.role ?? null);
    return grant;
  });
}

/** Gives an account at least the role. A higher one that it has stays. */
export async function raiseGrant(
  db: Db,
  grant: { suiteId: string; userId: string; role: SuiteRole; grantedBy: string },
): Promise<void> {
  await upsertUserGrant(db, grant, rolesBelow(grant.role));
}
