import { z } from 'zod';
import { readItems } from '../app/github-client.ts';

/**
 * An attempt by GitHub to deliver an event, as its API lists it. A redelivery is another attempt with the same `guid`.
 */
const Attempt = z
  .object({
    id: z.int(),
    guid: z.string(),
    delivered_at: z.iso.datetime({ offset: true }),
    status_code: z.int(),
    event: z.string(),
  })
  .transform(({ id, guid, event, delivered_at: deliveredAt, status_code: status }) => ({
    id,
    guid,
    event,
    deliveredAt: new Date(deliveredAt),
    // 0: we did not answer in time, or could not be reached.
    isTaken: status >= 200 && status < 300,
  }));
export type Attempt = z.output<typeof Attempt>;

/** Attempts that cannot be read are left out. */
export const readAttempts = (list: unknown): Attempt[] => readItems(Attempt, list);

/** The newest attempt of each delivery whose attempts all failed. Pure. @param attempts newest first */
export function findMissed(attempts: readonly Attempt[]): Attempt[] {
  const taken = new Set(attempts.filter(({ isTaken }) => isTaken).map(({ guid }) => guid));
  const missed = new Map<string, Attempt>();
  for (const attempt of attempts) {
    if (!taken.has(attempt.guid) && !missed.has(attempt.guid)) missed.set(attempt.guid, attempt);
  }
  return [...missed.values()];
}

const HOUR_MS = 3_600_000;
/** How far the first round looks back. */
const FIRST_MS = 24 * HOUR_MS;
/** GitHub keeps deliveries for three days. */
const LONGEST_MS = 72 * HOUR_MS;
/** Rounds overlap, because clocks differ and lists are updated late. */
const OVERLAP_MS = 5 * 60_000;

/** The time from which a round checks. @param completeUntil everything before it has been checked; null: nothing has */
export function beginOf(completeUntil: Date | null, now: Date): Date {
  const wanted = completeUntil === null ? now.getTime() - FIRST_MS : completeUntil.getTime() - OVERLAP_MS;
  // What was checked is in the future when the clock was set back.
  const latest = now.getTime() - OVERLAP_MS;
  return new Date(Math.max(Math.min(wanted, latest), now.getTime() - LONGEST_MS));
}
