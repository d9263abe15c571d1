import { findAccountByEmail, findAccountById } from '../auth/find-account.ts';
import type { UserSummary } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { conflict, invalid, notFound, unprocessable } from '../errors.ts';
import type { Authorized } from './authorized.ts';
import { findGrant, findRoleOf, upsertUserGrant } from './grant-store.ts';
import type { Grant, SharedSuite } from './grant.ts';
import { recordGrant } from './record-grant.ts';
import type { SuiteRole } from './role.ts';

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
  if (teamId !== undefined) throw unprocessable('team sharing is not available', 'teams_unavailable');
  if (userId !== undefined) return findAccountById(ctx, userId);
  return findAccountByEmail(ctx, email ?? '');
}
