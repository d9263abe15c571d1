import { setGroupGrants } from '../access/grants.ts';
import { isAtLeast, type SuiteRole } from '../access/role.ts';
import { setGroupAdministrator } from '../auth/administrators.ts';
import type { User } from '../auth/user.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { lockSuitesOfOthers } from '../suites/suite-store.ts';
import type { OidcSettings } from '../text/oidc-setting.ts';

/** The highest role for each suite. */
function rolesOf(groups: readonly string[], { groupRoles }: OidcSettings): Map<string, SuiteRole> {
  const roles = new Map<string, SuiteRole>();
  for (const { group, role, suiteId } of groupRoles) {
    if (suiteId === null || role === 'ADMINISTRATOR' || !groups.includes(group)) continue;
    const held = roles.get(suiteId);
    roles.set(suiteId, held !== undefined && isAtLeast(held, role) ? held : role);
  }
  return roles;
}

/**
 * Gives the person what their groups give (`OIDC_GROUP_ROLES`), and takes what groups gave before and no longer do. What
 * a person gave by hand stays as it is. In the transaction of the sign-in.
 */
export async function applyGroups(
  { log }: Pick<Context, 'log'>,
  trx: Db,
  user: User,
  oidc: OidcSettings,
  groups: readonly string[],
): Promise<void> {
  const administering = oidc.groupRoles.filter(({ suiteId }) => suiteId === null);
  const isAdministrator = administering.some(({ group }) => groups.includes(group));
  await setGroupAdministrator(trx, user, isAdministrator);
  const roles = rolesOf(groups, oidc);
  const suites = await lockSuitesOfOthers(trx, [...roles.keys()], user.id);
  const wanted = suites.flatMap((suiteId) => {
    const role = roles.get(suiteId);
    return role === undefined ? [] : [{ suiteId, role }];
  });
  await setGroupGrants(trx, user.id, wanted);
  log.info({ userId: user.id, isAdministrator, grants: wanted }, 'applied the roles of groups');
}
