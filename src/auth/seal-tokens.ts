import { countChanged } from '../async/batches.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { reseal, seal, unseal } from '../secrets/seal.ts';
import { findAccountIds, lockAccount, replaceTokens, type StoredTokens } from './account-store.ts';
import type { AccountTokens } from './account.ts';
import { openingSecrets, requireJwtSecret } from './jwt-secret.ts';

const PURPOSE = 'account-token';

type Secret = Pick<Config, 'jwtSecret' | 'previousJwtSecret'>;

const NO_TOKENS: StoredTokens = {
  accessToken: null,
  refreshToken: null,
  tokenType: null,
  scope: null,
  expiresAt: null,
};

/** Encrypts the tokens for storage. With only the database or a copy of it, nobody can use them. */
export function sealTokens(config: Secret, tokens: AccountTokens | null): StoredTokens {
  if (tokens === null) return NO_TOKENS;
  const sealed = (token: string) => seal(requireJwtSecret(config), PURPOSE, token);
  return {
    accessToken: sealed(tokens.accessToken),
    refreshToken: tokens.refreshToken === null ? null : sealed(tokens.refreshToken),
    tokenType: tokens.tokenType,
    scope: tokens.scope,
    expiresAt: tokens.expiresAt === null ? null : Math.floor(tokens.expiresAt.getTime() / 1000),
  };
}

/** Null: no tokens are stored, or they were encrypted with another secret. */
export function openTokens(config: Secret, stored: StoredTokens): AccountTokens | null {
  const open = (sealed: string | null) => (sealed === null ? null : unseal(openingSecrets(config), PURPOSE, sealed));
  const accessToken = open(stored.accessToken);
  if (accessToken === null) return null;
  return {
    accessToken,
    refreshToken: open(stored.refreshToken),
    tokenType: stored.tokenType,
    scope: stored.scope,
    expiresAt: stored.expiresAt === null ? null : new Date(stored.expiresAt * 1000),
  };
}

/** Null when the newest secret opens the tokens already, or when none does. */
function resealTokens(config: Secret, { tokenType, scope, expiresAt, ...stored }: StoredTokens): StoredTokens | null {
  const again = (sealed: string | null) => (sealed === null ? null : reseal(openingSecrets(config), PURPOSE, sealed));
  const [accessToken, refreshToken] = [again(stored.accessToken), again(stored.refreshToken)];
  if (accessToken === null && refreshToken === null) return null;
  return {
    accessToken: accessToken ?? stored.accessToken,
    refreshToken: refreshToken ?? stored.refreshToken,
    tokenType,
    scope,
    expiresAt,
  };
}

/** Encrypts the tokens of linked accounts with the newest secret. Returns how many accounts changed. */
export async function resealAccounts({ config, db }: Pick<Context, 'config' | 'db'>): Promise<number> {
  return countChanged(
    (after, limit) => findAccountIds(db, after, limit),
    ({ id }) =>
      inTransaction(db, async (trx) => {
        const row = await lockAccount(trx, id);
        const tokens = row === null ? null : resealTokens(config, row);
        if (tokens !== null) await replaceTokens(trx, id, tokens);
        return tokens !== null;
      }),
  );
}
