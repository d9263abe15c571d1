import type { Db } from '../db/database.ts';
import { deleteGrantsOn, deleteGroupGrants, upsertGroupGrant } from './grant-store.ts';
import type { SuiteRole } from './role.ts';

/** Makes these the person's roles by groups of the identity provider. Roles that a person gave stay as they are. */
export async function setGroupGrants(
  trx: Db,
  userId: string,
  wanted: readonly { suiteId: string; role: SuiteRole }[],
): Promise<void> {
  await deleteGroupGrants(
    trx,
    userId,
    wanted.map(({ suiteId }) => suiteId),
  );
  for (const { suiteId, role } of wanted) await upsertGroupGrant(trx, { suiteId, userId, role });
}

/** Takes the roles of an account that becomes the owner. */
export async function dropGrants(trx: Db, suiteIds: readonly string[], userId: string): Promise<void> {
  await deleteGrantsOn(trx, suiteIds, userId);
}
