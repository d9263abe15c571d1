import type { Context } from '../../context.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { emailKey } from '../email.ts';
import { hashOneTimeToken, newOneTimeToken } from '../one-time-token.ts';
import { findCredentials } from '../user-store.ts';
import { requirePasswordSignIn } from './password.ts';
import { countResetTokens, deleteLapsedResetTokens, insertResetToken } from './reset-token-store.ts';

/** One hour. */
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
  const { user } = found;
  if (ctx.mailer.configured) {
    const link = await makeLink(ctx, user.id);
    if (link === null) return;
    await ctx.mailer.send({ to: user.email, subject: 'Reset your Pixelgate password', text: formatMail(link) });
  } else if (ctx.config.production) {
    ctx.log.warn({ userId: user.id }, 'password reset requested, but no mail server is configured (SMTP_URL)');
  } else {
    const link = await makeLink(ctx, user.id);
    if (link === null) return;
    ctx.log.info(
      { userId: user.id, link },
      'password reset link, logged because no mail server is configured (SMTP_URL)',
    );
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
