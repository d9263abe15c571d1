import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { readClaims, requireJwtSecret, signClaims } from '../jwt-secret.ts';
import { emailKey } from '../user.ts';

const AUDIENCE = 'pixelgate:browser';
const MAX_ACCOUNTS = 5;

/** `accounts`: hashed, because the token is kept in a browser. The newest comes first. */
const Claims = z.object({ sub: z.uuid(), accounts: z.array(z.string()) });
type Claims = z.infer<typeof Claims>;

/** The same for all spellings of an account's address. It does not reveal the address. */
export function hashAccount(email: string): string {
  return createHash('sha256').update(emailKey(email)).digest('base64url');
}

function readKept({ config }: Pick<Context, 'config'>, kept: string | null): Claims | null {
  if (kept === null) return null;
  return readClaims(requireJwtSecret(config), { audience: AUDIENCE, shape: Claims, now: null }, kept);
}

/**
 * Stored by a browser after a sign-in: it identifies the browser and the last accounts that signed in there. It only
 * exempts the browser from delays that other people's wrong passwords cause.
 * @param kept what the browser kept before
 */
export function rememberBrowser({ config }: Pick<Context, 'config'>, kept: string | null, email: string): string {
  const before = readKept({ config }, kept);
  const account = hashAccount(email);
  const others = (before?.accounts ?? []).filter((each) => each !== account);
  const claims: Claims = { sub: before?.sub ?? randomUUID(), accounts: [account, ...others].slice(0, MAX_ACCOUNTS) };
  return signClaims(requireJwtSecret(config), AUDIENCE, claims);
}

/** The browser's id. Null: that account has not signed in there. */
export function recognizeBrowser(ctx: Pick<Context, 'config'>, kept: string | null, email: string): string | null {
  const claims = readKept(ctx, kept);
  return claims?.accounts.includes(hashAccount(email)) === true ? claims.sub : null;
}
