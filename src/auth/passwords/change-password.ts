import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { AppError, invalid, unauthenticated } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueue } from '../../queue/enqueue.ts';
import {
  consumeResetToken,
  countResetTokens,
  deleteLapsedResetTokens,
  deleteResetTokens,
  insertResetToken,
} from '../one-time-token-store.ts';
import { hashOneTimeToken, newOneTimeToken } from '../one-time-token.ts';
import { openSession } from '../sessions/start-session.ts';
import { findCredentials, findCredentialsById, replacePassword, setPassword, type Credentials } from '../user-store.ts';
import { emailKey, toActor, type User, type Viewer } from '../user.ts';
import { BCRYPT_COST, brokenPasswordRule, hashPassword, requirePasswordSignIn, verifyPassword } from './password.ts';

const refused = (path: string, message: string) => invalid('The password could not be changed', [{ path, message }]);

async function verified({ db }: Pick<Context, 'db'>, viewer: Viewer, current: string): Promise<Credentials> {
  const credentials = await findCredentialsById(db, viewer.id);
  if (credentials === null) throw unauthenticated();
  if (credentials.passwordHash === null) {
    throw refused('current', 'is not set. To set one, request a reset link with “Forgot password”');
  }
  if (!(await verifyPassword(current, credentials.passwordHash))) throw refused('current', 'is incorrect');
  return credentials;
}

/**
 * Sets a new password. Signs out every session of the account, and invalidates its open reset and sign-in links.
 * @param bcryptCost tests pass a low one.
 * @returns a token for the browser that sent the request.
 * @throws AppError `validation_failed` (400) with an issue at `password` or `current`; unauthenticated when the
 * sessions were signed out in the meantime.
 */
export async function changePassword(
  ctx: Pick<Context, 'config' | 'db' | 'clock'>,
  viewer: Viewer,
  { current, password }: { current: string; password: string },
  bcryptCost = BCRYPT_COST,
): Promise<{ token: string }> {
  requirePasswordSignIn(ctx);
  const broken = brokenPasswordRule(password);
  if (broken !== null) throw refused('password', broken);
  const credentials = await verified(ctx, viewer, current);
  // Before the transaction, because hashing takes a quarter of a second and no lock should be held that long.
  const passwordHash = await hashPassword(password, bcryptCost);
  const identity = await inTransaction(ctx.db, async (trx) => {
    const changed = await replacePassword(trx, credentials, passwordHash);
    if (changed === null) return null;
    await deleteResetTokens(trx, viewer.id);
    await recordEvent(trx, toActor(viewer), { kind: 'password.changed', details: {} });
    return changed;
  });
  if (identity === null) throw unauthenticated();
  const { token } = await openSession(ctx, identity);
  return { token };
}

export type ResetPasswordInput = { token: string; password: string };

/**
 * Sets a new password, once per token. Signs out every session of the account, and invalidates its other reset tokens.
 * @param bcryptCost tests pass a low one.
 * @returns whose password it is.
 * @throws AppError `validation_failed`, `invalid_reset_token` (both 400), `password_sign_in_off` (403).
 */
export async function resetPassword(
  { config, db, clock, address }: Pick<Context, 'config' | 'db' | 'clock' | 'address'>,
  { token, password }: ResetPasswordInput,
  bcryptCost = BCRYPT_COST,
): Promise<User> {
  requirePasswordSignIn({ config });
  const broken = brokenPasswordRule(password);
  if (broken !== null) {
    throw invalid('The password could not be changed', [{ path: 'password', message: broken }]);
  }
  // Before the transaction, because hashing takes a quarter of a second and no lock should be held that long.
  const passwordHash = await hashPassword(password, bcryptCost);
  return inTransaction(db, async (trx) => {
    const userId = await consumeResetToken(trx, hashOneTimeToken(token), clock.now());
    if (userId === null) {
      throw new AppError('invalid', 'This reset link was already used or has expired. Request a new one.', {
        code: 'invalid_reset_token',
        issues: [{ path: 'token', message: 'was already used or has expired' }],
      });
    }
    const user = await setPassword(trx, userId, passwordHash);
    await recordEvent(trx, toActor({ ...user, address }), { kind: 'password.reset', details: {} });
    return user;
  });
}

const RESET_TOKEN_TTL_MS = 3_600_000;

type ResetContext = Pick<Context, 'config' | 'db' | 'mailer' | 'log' | 'clock'>;

/**
 * Maximum number of links within the hour in which they are valid. Anyone who asks for more already has one that works.
 */
const MAX_LINKS = 5;

/** Only the link contains the token. The database stores its hash. Null: there are enough valid ones already. */
async function makeLink({ config, db, clock, log }: ResetContext, userId: string): Promise<string | null> {
  const token = newOneTimeToken();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + RESET_TOKEN_TTL_MS);
  await deleteLapsedResetTokens(db, userId, now);
  if ((await countResetTokens(db, userId)) >= MAX_LINKS) {
    log.warn({ userId, links: MAX_LINKS }, 'password reset requested too often: the links sent before are still valid');
    return null;
  }
  await insertResetToken(db, { userId, tokenHash: hashOneTimeToken(token), expiresAt });
  return `${config.publicUrl}/reset-password?token=${token}`;
}

function formatMail(link: string): string {
  return [
    'Someone requested a password reset for your Pixelgate account.',
    `To choose a new password, open this link. It works once and expires in one hour:\n${link}`,
    'If you did not request this, you can ignore this email. Your password will not change.\n',
  ].join('\n\n');
}

/**
 * Job: creates a reset token and mails the link. Without an account that may sign in, it sends no mail. Without a mail
 * server, development logs the link, and production logs a warning. If the job is delivered again, it creates another
 * token, so the link of a mail that was already sent still works.
 */
export async function sendResetLink(ctx: ResetContext, { email }: { email: string }): Promise<void> {
  const found = await findCredentials(ctx.db, email);
  if (found === null || found.isDisabled) return;
  const { id: userId, email: to } = found.user;
  if (!ctx.mailer.configured && ctx.config.production) {
    ctx.log.warn({ userId }, 'password reset requested, but no mail server is configured (SMTP_URL)');
    return;
  }
  const link = await makeLink(ctx, userId);
  if (link === null) return;
  if (ctx.mailer.configured) {
    await ctx.mailer.send({ to, subject: 'Reset your Pixelgate password', text: formatMail(link) });
  } else {
    ctx.log.info({ userId, link }, 'password reset link, logged because no mail server is configured (SMTP_URL)');
  }
}

/**
 * Queues the mail with the reset link. The job checks whether there is such an account, so neither the answer nor its
 * timing tells the caller. Further requests before the mail is sent do not cause further mails.
 * @throws AppError `password_sign_in_off` (403).
 */
export async function forgotPassword(ctx: Pick<Context, 'config' | 'db'>, { email }: { email: string }): Promise<void> {
  requirePasswordSignIn(ctx);
  await enqueue(ctx.db, 'send-reset-link', { email: emailKey(email) });
}
