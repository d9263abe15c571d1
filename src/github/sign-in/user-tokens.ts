import { listLinkedAccounts, renewTokens } from '../../auth/linked-accounts.ts';
import type { LinkedAccount } from '../../auth/account.ts';
import type { Context } from '../../context.ts';
import type { OAuthClient } from '../app/credentials.ts';
import { refreshTokens } from './oauth-client.ts';

type TokenContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

/** A token this close to its end might expire during the request. */
const MARGIN_MS = 60_000;

async function usableToken(ctx: TokenContext, client: OAuthClient, account: LinkedAccount): Promise<string | null> {
  const { accessToken, expiresAt } = account.tokens;
  if (expiresAt === null || expiresAt.getTime() - ctx.clock.now().getTime() > MARGIN_MS) return accessToken;
  const renewed = await renewTokens(ctx, account, async (token) => refreshTokens(ctx, client, token));
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
