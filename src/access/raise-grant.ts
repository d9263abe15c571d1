import type { Db } from '../db/database.ts';
import { upsertUserGrant } from './grant-store.ts';
import { rolesBelow } from './role.ts';
import type { SuiteRole } from './role.ts';

/** Gives an account at least the role. A higher one that it has stays. */
export async function raiseGrant(
  db: Db,
  grant: { suiteId: string; userId: string; role: SuiteRole; grantedBy: string },
): Promise<void> {
  await upsertUserGrant(db, grant, rolesBelow(grant.role));
}
