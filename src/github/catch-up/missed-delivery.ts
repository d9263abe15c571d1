import { z } from 'zod';

/**
 * An attempt by GitHub to deliver an event, as its API lists it. A redelivery is another attempt with the same `guid`.
 */
const Attempt = z.object({
  id: z.int(),
  guid: z.string(),
  delivered_at: z.iso.datetime({ offset: true }),
  status_code: z.int(),
  event: z.string(),
});

export type Attempt = { id: number; guid: string; event: string; deliveredAt: Date; isTaken: boolean };

/** Attempts that cannot be read are left out. */
export function readAttempts(list: unknown): Attempt[] {
  const attempts = Array.isArray(list) ? list : [];
  return attempts.flatMap((each) => {
    const { data } = Attempt.safeParse(each);
    if (data === undefined) return [];
    const { id, guid, event, delivered_at: deliveredAt, status_code: status } = data;
    // 0: we did not answer in time, or could not be reached.
    return [{ id, guid, event, deliveredAt: new Date(deliveredAt), isTaken: status >= 200 && status < 300 }];
  });
}

/** The newest attempt of each delivery of which no attempt succeeded. Pure. @param attempts newest first */
export function findMissed(attempts: readonly Attempt[]): Attempt[] {
  const taken = new Set(attempts.filter(({ isTaken }) => isTaken).map(({ guid }) => guid));
  const missed = new Map<string, Attempt>();
  for (const attempt of attempts) {
    if (!taken.has(attempt.guid) && !missed.has(attempt.guid)) missed.set(attempt.guid, attempt);
  }
  return [...missed.values()];
}
