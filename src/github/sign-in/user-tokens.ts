import type { AccountTokens, LinkedAccount } from '../../auth/account.ts';
import { listLinkedAccounts, renewTokens } from '../../auth/linked-accounts.ts';
import type { Context } from '../../context.ts';
import type { OAuthClient } from '../app/credentials.ts';
import { refreshTokens } from './oauth-client.ts';

type TokenContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

/** A token this close to its end might expire during the request. */
const MARGIN_MS = 60_000;

/** By the ID of the linked account: requests of this process share a renewal, and with it one database connection. */
const underWay = new Map<string, Promise<AccountTokens | null>>();

/** Concurrent requests share one renewal. */
async function renewOnce(
  ctx: TokenContext,
  client: OAuthClient,
  account: LinkedAccount,
): Promise<AccountTokens | null> {
  const awaited = underWay.get(account.id);
  if (awaited !== undefined) return awaited;
  const renewing = renewTokens(ctx, account, async (token) => refreshTokens(ctx, client, token));
  const shared = renewing.finally(() => underWay.delete(account.id));
  underWay.set(account.id, shared);
  return shared;
}

async function usableToken(ctx: TokenContext, client: OAuthClient, account: LinkedAccount): Promise<string | null> {
  const { accessToken, expiresAt } = account.tokens;
  if (expiresAt === null || expiresAt.getTime() - ctx.clock.now().getTime() > MARGIN_MS) return accessToken;
  const renewed = await renewOnce(ctx, client, account);
  return renewed?.accessToken ?? null;
}

/** One token for each GitHub account that the user has linked. Expired ones are renewed. Null when that fails. */
export async function readUserTokens(
  ctx: TokenContext,
  client: OAuthClient,
  userId: string,
): Promise<(string | null)[]> {
  const tokens: (string | null)[] = [];
  for (const account of await listLinkedAccounts(ctx, userId, 'github')) {
    tokens.push(await usableToken(ctx, client, account));
  }
  return tokens;
}
