import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import { emailKey } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { addressKey, guessLimit, tooManyAttempts } from './guess-limit.ts';
import { countAttempt, forgetAttempts, forgiveAttempt } from './rate-limit-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Rule = {
  /**
   * The account that a request is about, by a field of its body or by who is signed in, counts together with the address, so
   * that nobody uses up the attempts of a person elsewhere.
   */
  by: 'address' | 'email' | 'token' | 'viewer';
  limit: number;
  windowMs: number;
  /** Only responses with this status count. If omitted, all attempts count. */
  counts?: number;
};

/**
 * High enough for a script that sets up many accounts, or for an office behind one IP address. Low enough that
 * guessing a password or filling a mailbox does not pay. Each rule is counted in PostgreSQL, across all web hosts.
 */
const RULES = {
  register: [
    { by: 'address', limit: 300, windowMs: HOUR_MS },
    { by: 'email', limit: 20, windowMs: HOUR_MS },
  ],
  'forgot-password': [
    { by: 'address', limit: 60, windowMs: HOUR_MS },
    { by: 'email', limit: 5, windowMs: HOUR_MS },
  ],
  'reset-password': [
    { by: 'address', limit: 100, windowMs: HOUR_MS, counts: 400 },
    { by: 'token', limit: 10, windowMs: HOUR_MS, counts: 400 },
  ],
  // Nobody guesses a key.
  'passkey-sign-in': [{ by: 'address', limit: 100, windowMs: HOUR_MS, counts: 401 }],
  // By the invited address, because each invitation is a mail to it.
  invite: [
    { by: 'address', limit: 300, windowMs: HOUR_MS },
    { by: 'email', limit: 20, windowMs: HOUR_MS },
  ],
  invitation: [{ by: 'address', limit: 100, windowMs: HOUR_MS, counts: 400 }],
  // Jobs of a whole organization may share the address of their runners. The account is the token that they send.
  workflow: [
    { by: 'address', limit: 600, windowMs: 15 * MINUTE_MS },
    { by: 'token', limit: 30, windowMs: 15 * MINUTE_MS },
  ],
  // GitHub's image proxy requests images for all readers of checks from a few addresses, and caches them.
  'signed-image': [{ by: 'address', limit: 3000, windowMs: 5 * MINUTE_MS }],
  'change-password': [{ by: 'viewer', limit: 20, windowMs: 15 * MINUTE_MS, counts: 400 }],
} satisfies Record<string, Rule[]>;

type CountedOperation = keyof typeof RULES;
export type LimitedOperation = CountedOperation | 'login';

/**
 * The account that a request is about, or else who sent it. Other fields of the body don't count: nobody reads them, so
 * they could say anything.
 */
async function readAccountName(by: Exclude<Rule['by'], 'address'>, req: Request, res: Response): Promise<string> {
  const body: unknown = req.body;
  const isNamed = by !== 'viewer' && typeof body === 'object' && body !== null;
  const name: unknown = isNamed ? Reflect.get(body, by) : null;
  if (typeof name !== 'string' || name === '') return (await res.locals.session.viewer())?.id ?? '';
  return by === 'email' ? emailKey(name) : name;
}

/** Hashed, so that keys have a fixed length and the table contains no email addresses. */
const hashText = (text: string) => createHash('sha256').update(text).digest('base64url');

const keyBy = (by: Rule['by']) =>
  by === 'address'
    ? addressKey
    : async (req: Request, res: Response) => `${addressKey(req)}:${hashText(await readAccountName(by, req, res))}`;

function createRateLimitStore({ db, clock }: Pick<Context, 'db' | 'clock'>, prefix: string, windowMs: number): Store {
  return {
    prefix,
    localKeys: false,
    async increment(key) {
      const now = clock.now();
      const end = new Date(now.getTime() + windowMs);
      const { hits, resetsAt } = await countAttempt(db, `${prefix}${key}`, now, end);
      return { totalHits: hits, resetTime: resetsAt };
    },
    decrement: async (key) => forgiveAttempt(db, `${prefix}${key}`),
    resetKey: async (key) => forgetAttempts(db, `${prefix}${key}`),
  };
}

function limiter(ctx: Pick<Context, 'db' | 'clock'>, operation: CountedOperation, rule: Rule): RequestHandler {
  const { by, limit, windowMs, counts } = rule;
  return rateLimit({
    windowMs,
    limit,
    store: createRateLimitStore(ctx, `${operation}:${by}:`, windowMs),
    keyGenerator: keyBy(by),
    skipSuccessfulRequests: counts !== undefined,
    requestWasSuccessful: (_req: Request, res: Response) => res.statusCode !== counts,
    standardHeaders: false,
    legacyHeaders: false,
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler(req, _res, next) {
      const info: unknown = 'rateLimit' in req ? req.rateLimit : undefined;
      const reset = typeof info === 'object' && info !== null && 'resetTime' in info ? info.resetTime : undefined;
      const wait = reset instanceof Date ? reset.getTime() - ctx.clock.now().getTime() : windowMs;
      next(tooManyAttempts(wait));
    },
  });
}

/** Checks the limits before a limited operation. The body must have been read already. */
export function rateLimits(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'log'>,
  operation: LimitedOperation,
): RequestHandler[] {
  return operation === 'login' ? [guessLimit(ctx)] : RULES[operation].map((rule) => limiter(ctx, operation, rule));
}
