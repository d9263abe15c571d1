import { dropGrants } from '../access/grant-store.ts';
import { raiseGrant } from '../access/grants.ts';
import { findAccountByEmail, findAccountById } from '../auth/find-account.ts';
import { requireAdministrator } from '../auth/manage-accounts.ts';
import { findIdentity } from '../auth/user-store.ts';
import { personName, toActor, type UserSummary, type Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { conflict, forbidden, notFound, unprocessable } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { insertFollows } from './suite-for-viewer-store.ts';
import { listOwned, moveSuites } from './suite-store.ts';
import type { SuiteForViewer } from './suite.ts';

type HandOverContext = Pick<Context, 'db' | 'log'>;

/** @throws AppError `no_such_account`, `account_disabled` (422), `already_owner` (409) */
async function findNewOwner({ db }: Pick<Context, 'db'>, email: string, ownerId: string): Promise<UserSummary> {
  const account = await findAccountByEmail({ db }, email);
  if (account === null) throw unprocessable('No account exists with this email address', 'no_such_account');
  if (account.id === ownerId) throw conflict('This account owns it already', 'already_owner');
  if ((await findIdentity(db, account.id))?.isDisabled === true) {
    throw unprocessable('This account is disabled', 'account_disabled');
  }
  return account;
}

const named = (account: UserSummary) => ({ id: account.id, name: personName(account) });

async function move(
  trx: Db,
  viewer: Viewer,
  { from, to, suiteId }: { from: UserSummary; to: UserSummary; suiteId: string | null },
): Promise<string[]> {
  const moved = await moveSuites(trx, { from: from.id, to: to.id, suiteId });
  // An owner has no grant.
  await dropGrants(trx, moved, to.id);
  await insertFollows(trx, to.id, moved);
  const details = { from: named(from), to: named(to) };
  for (const id of moved) await recordEvent(trx, toActor(viewer), { kind: 'suite.handed_over', suiteId: id, details });
  return moved;
}

/**
 * Its owner gives a suite to another account, and keeps the ADMIN role. Its tokens and its history stay.
 * @throws AppError forbidden `not_owner`, and those of `findNewOwner`
 */
export async function handOverSuite(
  { db, log }: HandOverContext,
  viewer: Viewer,
  suite: SuiteForViewer,
  email: string,
): Promise<UserSummary> {
  if (!suite.access.isOwner || suite.owner === null) {
    throw forbidden('Only its owner can hand a suite over', 'not_owner');
  }
  const from = suite.owner;
  const to = await findNewOwner({ db }, email, from.id);
  await inTransaction(db, async (trx) => {
    const moved = await move(trx, viewer, { from, to, suiteId: suite.id });
    if (moved.length === 0) throw notFound('Suite');
    await raiseGrant(trx, { suiteId: suite.id, userId: from.id, role: 'ADMIN', grantedBy: to.id });
  });
  log.info({ suiteId: suite.id, from: from.id, to: to.id }, 'handed a suite over');
  return to;
}

/**
 * An administrator gives all suites of an account to another one. The account before keeps no role on them.
 * @returns how many
 * @throws AppError not_found, forbidden `not_administrator`, and those of `findNewOwner`
 */
export async function handOverAll(
  { db, log }: HandOverContext,
  viewer: Viewer,
  accountId: string,
  email: string,
): Promise<number> {
  await requireAdministrator({ db }, viewer);
  const from = await findAccountById({ db }, accountId);
  if (from === null) throw notFound('Account');
  const to = await findNewOwner({ db }, email, from.id);
  const moved = await inTransaction(db, async (trx) => move(trx, viewer, { from, to, suiteId: null }));
  log.info({ suites: moved.length, from: from.id, to: to.id }, 'handed suites over');
  return moved.length;
}

/** The suites and single pages of an account, by name, at most `limit`. */
export async function listOwnedSuites(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  accountId: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  await requireAdministrator(ctx, viewer);
  return listOwned(ctx.db, accountId, limit);
}
