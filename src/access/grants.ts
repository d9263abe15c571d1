import { findAccountByEmail, findAccountById } from '../auth/find-account.ts';
import { knownName, toActor, type UserSummary } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { cutList, type TimePart, type TimePlace } from '../db/list-part.ts';
import { conflict, invalid, notFound, unprocessable } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Authorized } from './authorized.ts';
import {
  deleteGrant,
  deleteGroupGrants,
  deleteUserGrant,
  findGrant,
  findRoleOf,
  listSuiteGrants,
  updateGrantRole,
  upsertGroupGrant,
  upsertUserGrant,
} from './grant-store.ts';
import { rolesBelow, type Grant, type SharedSuite, type SuiteRole } from './role.ts';

/** Who has access to a suite: the owner, who has no grant, and the grants, oldest first. `next`: see `Listed`. */
export type SuiteSharing = { owner: UserSummary | null; grants: Grant[]; next: TimePlace | null };

export async function listGrants(
  ctx: Pick<Context, 'db'>,
  suite: SharedSuite & Authorized,
  part: TimePart,
): Promise<SuiteSharing> {
  const [owner, found] = await Promise.all([
    findAccountById(ctx, suite.userId),
    listSuiteGrants(ctx.db, suite, { ...part, limit: part.limit + 1 }),
  ]);
  const { items, next } = cutList(found, part.limit, ({ place }) => place);
  return { owner, grants: items.map(({ place: _place, ...grant }) => grant), next };
}

/** The account of a grant, as an event names it. */
function nameGrantee({ principal, user }: Grant): { account: string; name: string } {
  return { account: principal.id, name: knownName(user) ?? principal.id };
}

/** @param before the role until now; null: none. The same role again is no event. */
async function recordGrant(
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

/**
 * Exactly one of `email`, `userId` and `teamId`. Without `role`, a new grant gets VIEWER and an existing one keeps its
 * role.
 */
export type ShareInput = {
  email?: string | undefined;
  userId?: string | undefined;
  teamId?: string | undefined;
  role?: SuiteRole | undefined;
};

/**
 * Shares the suite with an account. Sharing again with the same account changes its role.
 * @throws AppError `validation_failed` (400), `already_owner` (409), `no_such_account`, `teams_unavailable` (422).
 */
export async function shareSuite(
  { db }: Pick<Context, 'db'>,
  suite: SharedSuite & Authorized<'suite.share'>,
  input: ShareInput,
): Promise<Grant> {
  const account = await findGrantee({ db }, input);
  if (account === null)
    throw unprocessable(
      `No account exists with this ${input.email === undefined ? 'ID' : 'email address'}`,
      'no_such_account',
    );
  if (account.id === suite.userId) throw conflict('This account owns the suite', 'already_owner');
  const share = { suiteId: suite.id, userId: account.id, role: input.role, grantedBy: suite.viewer.id };
  return inTransaction(db, async (trx) => {
    const before = await findRoleOf(trx, suite.id, account.id);
    const grantId = await upsertUserGrant(trx, share);
    const grant = grantId === null ? null : await findGrant(trx, suite.id, grantId);
    if (grant === null) throw notFound('Grant');
    await recordGrant(trx, suite, grant, before);
    return grant;
  });
}

async function findGrantee(
  ctx: Pick<Context, 'db'>,
  { email, userId, teamId }: ShareInput,
): Promise<UserSummary | null> {
  const named = [email, userId, teamId].filter((value) => value !== undefined);
  if (named.length !== 1) {
    const message = 'exactly one of email, userId and teamId';
    throw invalid(`Send ${message}`, [{ path: 'email', message: `must be ${message}` }]);
  }
  if (teamId !== undefined) throw unprocessable('Team sharing is not available', 'teams_unavailable');
  if (userId !== undefined) return findAccountById(ctx, userId);
  return findAccountByEmail(ctx, email ?? '');
}

/** The owner has no grant, so a caller can only name them by the account's own id (docs/rules.md, Who may do what). */
function refuseOwner(suite: SharedSuite, grantId: string): void {
  if (grantId === suite.userId)
    throw conflict('The role of the owner cannot be changed or revoked', 'owner_role_fixed');
}

/**
 * @param change.was the role that the person was shown. Undefined: programs do not say
 * @throws AppError `not_found` (404), `owner_role_fixed`, `not_as_shown` (409).
 */
export async function changeGrant(
  { db }: Pick<Context, 'db'>,
  suite: SharedSuite & Authorized<'suite.share'>,
  { grantId, role, was }: { grantId: string; role: SuiteRole; was?: SuiteRole | undefined },
): Promise<Grant> {
  refuseOwner(suite, grantId);
  return inTransaction(db, async (trx) => {
    const before = await findGrant(trx, suite.id, grantId);
    const changed = await updateGrantRole(trx, { suiteId: suite.id, grantId, was }, role);
    const grant = await findGrant(trx, suite.id, grantId);
    if (grant === null) throw notFound('Grant');
    if (!changed) throw conflict('This account now has another role. Nothing was changed', 'not_as_shown');
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

/**
 * The viewer gives their role up (docs/rules.md, Who may do what).
 * @throws AppError conflict `owner_cannot_leave`
 */
export async function leaveSuite({ db }: Pick<Context, 'db'>, suite: SharedSuite & Authorized): Promise<void> {
  const { viewer } = suite;
  if (suite.userId === viewer.id) {
    throw conflict('You own this suite. Hand it over to somebody else first.', 'owner_cannot_leave');
  }
  await inTransaction(db, async (trx) => {
    const role = await deleteUserGrant(trx, suite.id, viewer.id);
    // Somebody revoked it in the meantime.
    if (role === null) throw notFound('Suite');
    await recordEvent(trx, toActor(viewer), { kind: 'suite.left', suiteId: suite.id, details: { role } });
  });
}

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
