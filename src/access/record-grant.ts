import { toActor } from '../auth/to-actor.ts';
import type { Db } from '../db/database.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Authorized } from './authorized.ts';
import type { Grant } from './grant.ts';
import type { SuiteRole } from './role.ts';

/** The account of a grant, as an event names it. */
export function nameGrantee({ principal, user }: Grant): { account: string; name: string } {
  return { account: principal.id, name: user?.name ?? user?.email ?? principal.id };
}

/** @param before the role until now; null: none. The same role again is no event. */
export async function recordGrant(
  trx: Db,
  suite: { id: string } & Authorized<'suite.share'>,
  grant: Grant,
  before: SuiteRole | null,
): Promise<void> {
  const { role } = grant;
  if (role === before) return;
  const details = { ...nameGrantee(grant), role, before };
  await recordEvent(trx, toActor(suite.viewer), { kind: 'access.granted', suiteId: suite.id, details });
}
