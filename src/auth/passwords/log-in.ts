import type { Context } from '../../context.ts';
import { unauthenticated } from '../../errors.ts';
import { countFailures } from '../../events/event-store.ts';
import { recordEvent } from '../../events/record-event.ts';
import { startSession, type Session } from '../sessions/start-session.ts';
import { findCredentials } from '../user-store.ts';
import { isEmailAllowed } from '../user.ts';
import { requirePasswordSignIn, verifyPassword } from './password.ts';

/**
 * Gives the same answer, after about the same time, for an unknown address and for a wrong password.
 * @throws AppError `invalid_credentials` (401), `password_sign_in_off` (403).
 */
export async function logIn(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'address'>,
  { email, password }: { email: string; password: string },
): Promise<Session> {
  requirePasswordSignIn(ctx);
  const credentials = await findCredentials(ctx.db, email);
  const verified = await verifyPassword(password, credentials?.passwordHash ?? null);
  if (credentials === null || !verified) {
    await recordFailure(ctx, { email: isEmailAllowed(email) ? email : null, id: credentials?.user.id ?? null });
    throw unauthenticated('Incorrect email address or password', 'invalid_credentials');
  }
  return startSession(ctx, credentials);
}

/** How many failures are recorded in an hour, so that a flood of guesses does not fill the record. */
const FAILURES_RECORDED = 1000;
const HOUR_MS = 3_600_000;

/** Records a sign-in that failed. @param email what was typed, if it is an address @param id of the account that has it */
export async function recordFailure(
  { db, clock, address }: Pick<Context, 'db' | 'clock' | 'address'>,
  { email, id }: { email: string | null; id: string | null },
): Promise<void> {
  const since = new Date(clock.now().getTime() - HOUR_MS);
  if ((await countFailures(db, since, FAILURES_RECORDED)) >= FAILURES_RECORDED) return;
  const actor = { kind: 'person', id, name: null, via: null, address: address ?? null } as const;
  await recordEvent(db, actor, { kind: 'sign_in.failed', details: { email } });
}
