import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { enqueue } from '../queue/enqueue.ts';
import { deleteLapsedResetTokens, insertResetToken } from './reset-token-store.ts';
import { RESET_TOKEN_TTL_MS, hashResetToken, newResetToken } from './reset-token.ts';
import { findUserByEmail } from './user-store.ts';
import type { User } from './user.ts';

type ForgotPasswordContext = Pick<Context, 'config' | 'db' | 'mailer' | 'log' | 'clock'>;

/** Longer than the work takes for an account that exists, so that the time of the answer says nothing. */
const ANSWER_AFTER_MS = 300;

/** Attempts wait e^n seconds: the eighth is made 29 minutes in, a ninth would be after the link has lapsed. */
const MAIL_ATTEMPTS = 8;

/**
 * Queues the mail with the reset link: token and job commit together, so a crash loses nothing acknowledged. The caller
 * is told nothing, and in about the same time, whether or not there is an account (contract 4).
 */
export async function forgotPassword(ctx: ForgotPasswordContext, { email }: { email: string }): Promise<void> {
  const [work] = await Promise.allSettled([prepareLink(ctx, email), delay(ANSWER_AFTER_MS)]);
  if (work.status === 'rejected') throw work.reason;
}

/** Without a mail server, development logs the link and production a warning (contract 2). */
async function prepareLink(ctx: ForgotPasswordContext, email: string): Promise<void> {
  const user = await findUserByEmail(ctx.db, email);
  if (user === null) return;
  if (ctx.mailer.configured) {
    await queueLink(ctx, user);
  } else if (ctx.config.production) {
    ctx.log.warn({ userId: user.id }, 'a password reset was asked for, but no mail server is set (SMTP_URL)');
  } else {
    const link = await storeLink(ctx, user.id);
    ctx.log.info({ userId: user.id, link }, 'password reset link, logged as no mail server is set (SMTP_URL)');
  }
}

/**
 * The queued mail is the one place that holds the token itself; the job is removed when the mail is sent. Asked again
 * before that, the newer mail takes its place.
 */
async function queueLink(ctx: ForgotPasswordContext, user: User): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const link = await storeLink({ ...ctx, db: trx }, user.id);
    const mail = { to: user.email, subject: 'Reset your Pixelgate password', text: textOf(link) };
    await enqueue(trx, 'send-mail', mail, { key: `reset-password/${user.id}`, maxAttempts: MAIL_ATTEMPTS });
  });
}

async function storeLink(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  userId: string,
): Promise<string> {
  const token = newResetToken();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + RESET_TOKEN_TTL_MS);
  await deleteLapsedResetTokens(db, userId, now);
  await insertResetToken(db, { userId, tokenHash: hashResetToken(token), expiresAt });
  return `${config.publicUrl}/reset-password?token=${token}`;
}

function textOf(link: string): string {
  return [
    'Somebody asked to reset the password of your Pixelgate account.',
    `To choose a new password, open this address within one hour; it works once:\n${link}`,
    'If it was not you, ignore this message: your password stays as it is.\n',
  ].join('\n\n');
}
