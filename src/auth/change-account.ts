import type { Context } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { invalid, unauthenticated } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import type { PreferenceChange } from './preferences.ts';
import { toActor } from './to-actor.ts';
import { findCredentialsById, mergePreferences, raiseSessionVersion, setName } from './user-store.ts';
import { isNameAllowed, NAME_RULE, normalizeName, type User } from './user.ts';
import type { Viewer } from './viewer.ts';

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
