import type { Context } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { conflict, invalid, notFound, unauthenticated } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteLink, findAccounts, findLinkedUserId, findLinks, lockAccount, replaceTokens } from './account-store.ts';
import type { AccountLink, AccountTokens, LinkedAccount } from './account.ts';
import type { PreferenceChange } from './preferences.ts';
import { openTokens, sealTokens } from './seal-tokens.ts';
import {
  findCredentialsById,
  findIdentity,
  lockCredentials,
  mergePreferences,
  raiseSessionVersion,
  setName,
} from './user-store.ts';
import { isNameAllowed, NAME_RULE, normalizeName, toActor, type User, type Viewer } from './user.ts';

/**
 * Trims the name. Null, or only blanks, removes it.
 * @throws AppError `validation_failed` (400) with an issue at `name`; unauthenticated when the account is gone.
 */
export async function changeName({ db }: Pick<Context, 'db'>, viewer: Viewer, name: string | null): Promise<User> {
  const normalized = normalizeName(name);
  if (normalized !== null && !isNameAllowed(normalized)) {
    throw invalid('The name could not be changed', [{ path: 'name', message: NAME_RULE }]);
  }
  return inTransaction(db, async (trx) => {
    const user = await setName(trx, viewer.id, normalized);
    if (user === null) throw unauthenticated();
    const details = { from: viewer.name, to: normalized };
    if (details.from !== details.to) await recordEvent(trx, toActor(viewer), { kind: 'account.renamed', details });
    return user;
  });
}

/** Stores the fields that are given. Others stay, also those that another tab changes at the same time. */
export async function changePreferences(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  change: PreferenceChange,
): Promise<void> {
  await mergePreferences(db, viewer.id, change);
}

/** False: the account can sign in only through another service. */
export async function hasPassword({ config, db }: Pick<Context, 'config' | 'db'>, viewer: Viewer): Promise<boolean> {
  if (!config.passwordSignIn) return false;
  return ((await findCredentialsById(db, viewer.id))?.passwordHash ?? null) !== null;
}

/** Ends every session of the viewer's account, including the caller's, and invalidates its open sign-in links. */
export async function signOutEverywhere({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<void> {
  await inTransaction(db, async (trx) => {
    await raiseSessionVersion(trx, viewer.id);
    await recordEvent(trx, toActor(viewer), { kind: 'sign_out.everywhere', details: {} });
  });
}

type AuthContext = Pick<Context, 'config' | 'db'>;

/** The user who linked this GitHub account, for requests that have no session. Null: nobody who may sign in. */
export async function findUserOfAccount({ db }: Pick<Context, 'db'>, accountId: string): Promise<User | null> {
  const userId = await findLinkedUserId(db, { provider: 'github', accountId });
  const identity = userId === null ? null : await findIdentity(db, userId);
  return identity === null || identity.isDisabled ? null : identity.user;
}

/** The user's GitHub accounts, oldest first, without those whose tokens can no longer be decrypted. */
export async function listLinkedAccounts({ config, db }: AuthContext, userId: string): Promise<LinkedAccount[]> {
  return (await findAccounts(db, userId, 'github')).flatMap((row) => {
    const tokens = openTokens(config, row);
    return tokens === null ? [] : [{ id: row.id, accountId: row.providerAccountId, tokens }];
  });
}

/**
 * Gets new tokens for an account with `renew`. A refresh token works only once, so the row is locked meanwhile. This is
 * the one transaction that spans a call to another service. Another process waits, and gets what the first one stored.
 * @param renew must come to an end within seconds
 * @returns null when the tokens could not be renewed
 */
export async function renewTokens(
  ctx: AuthContext,
  { id, tokens }: LinkedAccount,
  renew: (refreshToken: string) => Promise<AccountTokens | null>,
): Promise<AccountTokens | null> {
  return inTransaction(ctx.db, async (trx) => {
    const row = await lockAccount(trx, id);
    const held = row === null ? null : openTokens(ctx.config, row);
    if (held === null || held.accessToken !== tokens.accessToken) return held;
    if (held.refreshToken === null) return null;
    const renewed = await renew(held.refreshToken);
    if (renewed !== null) await replaceTokens(trx, id, sealTokens(ctx.config, renewed));
    return renewed;
  });
}

/** The accounts of other services with which the viewer can sign in, oldest first. */
export async function readLinks({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<AccountLink[]> {
  return findLinks(db, viewer.id);
}

/**
 * Removes a link. The viewer must be able to sign in without it.
 * @throws AppError not_found; conflict `only_sign_in` when it is the only way in.
 */
export async function unlinkAccount(
  { config, db, log }: Pick<Context, 'config' | 'db' | 'log'>,
  viewer: Viewer,
  id: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    // Locked, so that if two links are removed at the same moment, one is kept.
    const credentials = await lockCredentials(trx, viewer.id);
    if (credentials === null) throw unauthenticated();
    const links = await findLinks(trx, viewer.id);
    const link = links.find((each) => each.id === id);
    if (link === undefined) throw notFound('Linked account');
    if (links.length === 1 && (credentials.passwordHash === null || !config.passwordSignIn)) {
      const mend = config.passwordSignIn ? 'Set a password first.' : 'Link another account first.';
      throw conflict(`This is your only way to sign in. ${mend}`, 'only_sign_in');
    }
    await deleteLink(trx, viewer.id, id);
    const details = { provider: link.provider, login: link.login };
    await recordEvent(trx, toActor(viewer), { kind: 'account.unlinked', details });
  });
  log.info({ userId: viewer.id, accountId: id }, 'unlinked an account');
}
