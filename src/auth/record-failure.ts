import type { Context } from '../context.ts';
import { countRecent } from '../events/event-store.ts';
import { recordEvent } from '../events/record-event.ts';

/** How many failures are recorded in an hour, so that a flood of guesses does not fill the record. */
const FAILURES_RECORDED = 1000;
const HOUR_MS = 3_600_000;

/** Records a sign-in that failed. @param email what was typed, if it is an address @param id of the account that has it */
export async function recordFailure(
  { db, clock, address }: Pick<Context, 'db' | 'clock' | 'address'>,
  { email, id }: { email: string | null; id: string | null },
): Promise<void> {
  const since = new Date(clock.now().getTime() - HOUR_MS);
  const recorded = await countRecent(db, 'sign_in.failed', { since, most: FAILURES_RECORDED });
  if (recorded >= FAILURES_RECORDED) return;
  const actor = { kind: 'person', id, name: null, via: null, address: address ?? null } as const;
  await recordEvent(db, actor, { kind: 'sign_in.failed', details: { email } });
}
