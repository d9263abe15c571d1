import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { findAccountIds, lockAccount, replaceTokens } from './account-store.ts';
import { resealTokens } from './seal-tokens.ts';

const PART = 500;

/** Encrypts the tokens of linked accounts with the newest secret. Returns how many accounts changed. */
export async function resealAccounts({ config, db }: Pick<Context, 'config' | 'db'>): Promise<number> {
  let changed = 0;
  let ids = await findAccountIds(db, null, PART);
  while (ids.length > 0) {
    for (const id of ids) {
      changed += await inTransaction(db, async (trx) => {
        const row = await lockAccount(trx, id);
        const tokens = row === null ? null : resealTokens(config, row);
        if (tokens !== null) await replaceTokens(trx, id, tokens);
        return tokens === null ? 0 : 1;
      });
    }
    ids = await findAccountIds(db, ids.at(-1) ?? null, PART);
  }
  return changed;
}
