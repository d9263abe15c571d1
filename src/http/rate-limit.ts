import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Store } from 'express-rate-limit';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { countAttempt, forgetAttempts, forgiveAttempt } from './rate-limit-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Rule = {
  by: 'address' | 'account';
  limit: number;
  windowMs: number;
  /** Only responses with this status count. If omitted, all attempts count. */
  counts?: number;
};

export type LimitedOperation = 'register' | 'login' | 'forgot-password' | 'reset-password' | 'change-password';

/**
 * High enough for a script that sets up many accounts, or for an office behind one IP address. Low enough that
 * guessing a password or filling a mailbox does not pay. Each rule is counted in PostgreSQL, across all web hosts.
 */
const RULES: Record<LimitedOperation, Rule[]> = {
  register: [
    { by: 'address', limit: 300, windowMs: HOUR_MS },
    { by: 'account', limit: 20, windowMs: HOUR_MS },
  ],
  login: [
    { by: 'address', limit: 100, windowMs: 15 * MINUTE_MS, counts: 401 },
    { by: 'account', limit: 10, windowMs: 15 * MINUTE_MS, counts: 401 },
  ],
  'forgot-password': [
    { by: 'address', limit: 60, windowMs: HOUR_MS },
    { by: 'account', limit: 5, windowMs: HOUR_MS },
  ],
  'reset-password': [
    { by: 'address', limit: 20, windowMs: HOUR_MS, counts: 400 },
    { by: 'account', limit: 10, windowMs: HOUR_MS, counts: 400 },
  ],
  // This form is for signed-in people, so it names no account.
  'change-password': [{ by: 'address', limit: 20, windowMs: 15 * MINUTE_MS, counts: 400 }],
};

/** What identifies the account in the body: its e-mail, or the reset token. Null when there is neither. */
function readAccountName(req: Request): string | null {
  const body: unknown = req.body;
  if (typeof body !== 'object' || body === null) return null;
  if ('email' in body && typeof body.email === 'string') return body.email.trim().toLowerCase();
  return 'token' in body && typeof body.token === 'string' ? body.token : null;
}

/** Hashed, so that keys have a fixed length and the table contains no e-mail addresses. */
const hashText = (text: string) => createHash('sha256').update(text).digest('base64url');

/** A proxy may put anything into its header. If that is no IP address, the proxy itself is counted. */
function addressKey(req: Request): string {
  const { ip = '' } = req;
  return ipKeyGenerator(isIP(ip) === 0 ? (req.socket.remoteAddress ?? 'unknown') : ip);
}

const accountKey = (req: Request) => hashText(readAccountName(req) ?? '');

function createRateLimitStore({ db, clock }: Pick<Context, 'db' | 'clock'>, prefix: string, windowMs: number): Store {
  return {
    prefix,
    localKeys: false,
    async increment(key) {
      const { hits, resetsAt } = await countAttempt(db, `${prefix}${key}`, clock.now(), windowMs);
      return { totalHits: hits, resetTime: resetsAt };
    },
    decrement: async (key) => forgiveAttempt(db, `${prefix}${key}`),
    resetKey: async (key) => forgetAttempts(db, `${prefix}${key}`),
  };
}

function secondsUntil(reset: Date | undefined, now: Date, windowMs: number): number {
  const milliseconds = reset === undefined ? windowMs : reset.getTime() - now.getTime();
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

function limiter(ctx: Pick<Context, 'db' | 'clock'>, operation: LimitedOperation, rule: Rule): RequestHandler {
  const { by, limit, windowMs, counts } = rule;
  return rateLimit({
    windowMs,
    limit,
    store: createRateLimitStore(ctx, `${operation}:${by}:`, windowMs),
    keyGenerator: by === 'address' ? addressKey : accountKey,
    skip: (req) => by === 'account' && readAccountName(req) === null,
    skipSuccessfulRequests: counts !== undefined,
    requestWasSuccessful: (_req: Request, res: Response) => res.statusCode !== counts,
    standardHeaders: false,
    legacyHeaders: false,
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler(req, _res, next) {
      const info: unknown = 'rateLimit' in req ? req.rateLimit : undefined;
      const reset = typeof info === 'object' && info !== null && 'resetTime' in info ? info.resetTime : undefined;
      const retryAfter = secondsUntil(reset instanceof Date ? reset : undefined, ctx.clock.now(), windowMs);
      next(new AppError('rate_limited', 'Too many attempts', { code: 'rate_limited', retryAfter }));
    },
  });
}

type RateLimits = Record<LimitedOperation, RequestHandler[]>;

/** Checks the limits before each limited operation. The body must have been read already. */
export function rateLimits(ctx: Pick<Context, 'db' | 'clock'>): RateLimits {
  const of = (operation: LimitedOperation) => RULES[operation].map((rule) => limiter(ctx, operation, rule));
  return {
    register: of('register'),
    login: of('login'),
    'forgot-password': of('forgot-password'),
    'reset-password': of('reset-password'),
    'change-password': of('change-password'),
  };
}
