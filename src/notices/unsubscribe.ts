import { openingSecrets, requireJwtSecret } from '../auth/jwt-secret.ts';
import { findIdentity } from '../auth/user-store.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { seal, unseal } from '../secrets/seal.ts';
import { clearSuiteChoices, saveChoice } from './choice-store.ts';
import { removeWaiting } from './digest-store.ts';

const PURPOSE = 'unsubscribe';

/** Where a person unsubscribes without signing in. It stays valid for as long as `JWT_SECRET`. */
export const unsubscribeUrl = (config: Pick<Config, 'jwtSecret' | 'publicUrl'>, userId: string): string =>
  `${config.publicUrl}/unsubscribe/${seal(requireJwtSecret(config), PURPOSE, userId)}`;

/** Whom a link is for. Null: it is no longer valid. */
export async function findUnsubscriber(
  { config, db }: Pick<Context, 'config' | 'db'>,
  token: string,
): Promise<{ id: string; email: string } | null> {
  const id = unseal(openingSecrets(config), PURPOSE, token);
  return id === null ? null : ((await findIdentity(db, id))?.user ?? null);
}

/** From now on the person hears nothing of any suite. */
export async function unsubscribe({ db }: Pick<Context, 'db'>, { id }: { id: string }): Promise<void> {
  await inTransaction(db, async (trx) => {
    await saveChoice(trx, id, { hears: 'NOTHING' });
    await clearSuiteChoices(trx, id);
    await removeWaiting(trx, id, null);
  });
}
