import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { hashAccount, recognizeBrowser } from '../auth/sessions/known-browser.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { readCookie, SESSION_COOKIE } from './cookies.ts';
import { forgetAttempts, forgiveAttempt, lockCount, saveCount } from './rate-limit-store.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** How many wrong passwords cause no delay, from one address (or known browser) for one account. */
const FREE_AT_ONE_PLACE = 10;
const FIRST_DELAY_MS = 10 * SECOND_MS;
const LONGEST_DELAY_MS = 15 * MINUTE_MS;

/** How many wrong passwords for one account, from all unknown browsers, before each new address has to wait. */
const FREE_AT_ACCOUNT = 30;
const FIRST_WAIT_MS = 5 * SECOND_MS;
/** The longest wait of the owner at a new address while others guess. */
const LONGEST_WAIT_MS = MINUTE_MS;

const doubled = (first: number, times: number, longest: number) => Math.min(longest, first * 2 ** times);

/** Milliseconds before the next guess at one place, after this many wrong ones there. */
function delayAtPlace(wrong: number): number {
  return wrong < FREE_AT_ONE_PLACE ? 0 : doubled(FIRST_DELAY_MS, wrong - FREE_AT_ONE_PLACE, LONGEST_DELAY_MS);
}

/**
 * Milliseconds that a new address waits before its first guess, after this many wrong ones for the account elsewhere.
 * 0: it need not wait.
 */
function waitForAccount(wrong: number): number {
  return wrong < FREE_AT_ACCOUNT
    ? 0
    : doubled(FIRST_WAIT_MS, Math.floor((wrong - FREE_AT_ACCOUNT) / 10), LONGEST_WAIT_MS);
}

/** The same as `delayAtPlace`, while there are guesses at the account from many addresses. */
function delayUnderAttack(wrongAtPlace: number, wrongAtAccount: number): number {
  const wait = waitForAccount(wrongAtAccount);
  const slowed = wait === 0 ? 0 : doubled(wait, wrongAtPlace, LONGEST_DELAY_MS);
  return Math.max(delayAtPlace(wrongAtPlace), slowed);
}

const ADDRESS_LIMIT = 100;
const ADDRESS_WINDOW_MS = 15 * 60_000;
/** Wrong passwords are forgotten a day after the last one. */
const KEPT_MS = 24 * 3_600_000;

/** The keys under which a guess is counted. `address`, `account`: null for a browser that the account knows. */
type Place = { here: string; address: string | null; account: string | null };

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);

/** Null: it has no account or no password, so it is not a guess. */
function findPlace(ctx: Pick<Context, 'config'>, req: Request): Place | null {
  const body: unknown = req.body;
  if (typeof body !== 'object' || body === null || !('email' in body && 'password' in body)) return null;
  if (typeof body.email !== 'string' || typeof body.password !== 'string') return null;
  const account = hashAccount(body.email);
  const browser = recognizeBrowser(ctx, readCookie(req, 'browser'), body.email);
  if (browser !== null) return { here: `login:browser:${browser}:${account}`, address: null, account: null };
  const address = addressKey(req);
  return {
    here: `login:place:${address}:${account}`,
    address: `login:address:${address}`,
    account: `login:account:${account}`,
  };
}

/**
 * Returns the milliseconds to wait. 0: the attempt was counted; it is subtracted later unless the password was wrong.
 */
async function countAtAddress(trx: Db, key: string, now: Date): Promise<number> {
  const count = await lockCount(trx, key, now, after(now, ADDRESS_WINDOW_MS));
  if (count.hits >= ADDRESS_LIMIT) return count.resetsAt.getTime() - now.getTime();
  await saveCount(trx, key, { ...count, hits: count.hits + 1 });
  return 0;
}

async function countAtBrowser(trx: Db, key: string, now: Date): Promise<number> {
  const count = await lockCount(trx, key, now, after(now, KEPT_MS));
  const left = (count.notBefore?.getTime() ?? 0) - now.getTime();
  if (left > 0) return left;
  const hits = count.hits + 1;
  await saveCount(trx, key, { hits, notBefore: after(now, delayAtPlace(hits)), resetsAt: after(now, KEPT_MS) });
  return 0;
}

/**
 * While many addresses guess at an account, a new address has to wait once before its first attempt. Nobody else can
 * take that attempt away, so the owner gets in.
 */
async function countAtAccount(trx: Db, { here, account }: { here: string; account: string }, now: Date) {
  const resetsAt = after(now, KEPT_MS);
  const all = await lockCount(trx, account, now, resetsAt);
  const own = await lockCount(trx, here, now, resetsAt);
  const wait = own.notBefore === null ? waitForAccount(all.hits) : own.notBefore.getTime() - now.getTime();
  if (wait > 0) {
    await saveCount(trx, here, { ...own, notBefore: after(now, wait) });
    return wait;
  }
  const hits = own.hits + 1;
  const delay = delayUnderAttack(hits, all.hits + 1);
  await saveCount(trx, account, { ...all, hits: all.hits + 1, resetsAt });
  await saveCount(trx, here, { hits, notBefore: delay === 0 ? null : after(now, delay), resetsAt });
  return 0;
}

/** The keys are locked in one order (address, account, place), so that no two requests wait for each other. */
async function countGuess(db: Db, { here, address, account }: Place, now: Date): Promise<number> {
  return inTransaction(db, async (trx) => {
    if (address === null || account === null) return countAtBrowser(trx, here, now);
    const closed = await countAtAddress(trx, address, now);
    if (closed > 0) return closed;
    const wait = await countAtAccount(trx, { here, account }, now);
    if (wait > 0) await forgiveAttempt(trx, address);
    return wait;
  });
}

/**
 * A correct password sets the session cookie. The status alone does not tell, because a page may redirect for other
 * reasons.
 */
function isRight(res: Response): boolean {
  return [res.getHeader('set-cookie')].flat().some((cookie) => String(cookie).startsWith(`${SESSION_COOKIE}=`));
}

/**
 * A correct password clears the count at this place. Attempts that were refused for another reason than the password
 * don't count.
 */
async function settleGuess(db: Db, { here, address, account }: Place, res: Response): Promise<void> {
  const right = isRight(res);
  if (!right && (res.statusCode === 401 || res.statusCode < 400)) return;
  if (right) await forgetAttempts(db, here);
  else await forgiveAttempt(db, here);
  for (const key of [address, account]) if (key !== null) await forgiveAttempt(db, key);
}

/**
 * Delays guesses at passwords: by address and account together, by account, so that many addresses are slowed as well,
 * and by address. A browser in which the account has signed in before is delayed only by its own wrong passwords. All
 * guesses are counted before the password is looked at, in PostgreSQL, across all web hosts.
 */
export function guessLimit(ctx: Pick<Context, 'config' | 'db' | 'clock' | 'log'>): RequestHandler {
  const { db, clock, log } = ctx;
  return async (req, res, next) => {
    const place = findPlace(ctx, req);
    if (place === null) {
      next();
      return;
    }
    const wait = await countGuess(db, place, clock.now());
    if (wait > 0) throw tooManyAttempts(wait);
    res.on('finish', () => {
      settleGuess(db, place, res).catch((error: unknown) => {
        log.warn({ err: error }, 'an attempt to sign in was counted that was not wrong');
      });
    });
    next();
  };
}

/**
 * The client's address, by which limits count (for IPv6, its network). A proxy may put anything into its header. If
 * that is no IP address, the proxy itself is counted.
 */
export function addressKey(req: Request): string {
  const { ip = '' } = req;
  return ipKeyGenerator(isIP(ip) === 0 ? (req.socket.remoteAddress ?? 'unknown') : ip);
}

/** @param wait milliseconds until the next attempt may come */
export function tooManyAttempts(wait: number): AppError {
  const retryAfter = Math.max(1, Math.ceil(wait / 1000));
  return new AppError('rate_limited', 'Too many attempts', { code: 'rate_limited', retryAfter });
}
