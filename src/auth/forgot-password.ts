import type { Context } from '../context.ts';
import { enqueue } from '../queue/enqueue.ts';
import { emailKey } from './email.ts';

/**
 * Queues the mail with the reset link. Whether there is such an account is found out by the job, so the caller is told
 * nothing, in the same time, either way (contract 4); asked again before the mail is sent, there is still one mail.
 */
export async function forgotPassword(ctx: Pick<Context, 'db'>, { email }: { email: string }): Promise<void> {
  await enqueue(ctx.db, 'send-reset-link', { email: emailKey(email) });
}
