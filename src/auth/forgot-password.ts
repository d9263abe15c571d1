import type { Context } from '../context.ts';
import { enqueue } from '../queue/enqueue.ts';
import { emailKey } from './email.ts';
import { requirePasswordSignIn } from './password-sign-in.ts';

/**
 * Queues the mail with the reset link. The job checks whether there is such an account, so neither the answer nor its
 * timing tells the caller. Further requests before the mail is sent do not cause further mails.
 * @throws AppError `password_sign_in_off` (403).
 */
export async function forgotPassword(ctx: Pick<Context, 'config' | 'db'>, { email }: { email: string }): Promise<void> {
  requirePasswordSignIn(ctx);
  await enqueue(ctx.db, 'send-reset-link', { email: emailKey(email) });
}
