import { z } from 'zod';
import { readRow, type Db } from '../db/database.ts';

/** What is counted under a key. `notBefore`: until then the next attempt is refused; null: none was delayed yet. */
const Count = z.object({ hits: z.number(), notBefore: z.date().nullable(), resetsAt: z.date() });
type Count = z.infer<typeof Count>;

/** Adds to a key's count. If it has expired or does not exist, it starts again and ends at `resetsAt`. */
async function addTo(db: Db, key: string, attempts: 0 | 1, now: Date, resetsAt: Date): Promise<Count> {
  return readRow(
    db,
    Count,
    `insert into rate_limits as counted (key, hits, resets_at) values (:key, :attempts, :resetsAt)
     on conflict (key) do update set
       hits = case when counted.resets_at <= :now then 0 else counted.hits end + excluded.hits,
       not_before = case when counted.resets_at <= :now then null else counted.not_before end,
       resets_at = case when counted.resets_at <= :now then excluded.resets_at else counted.resets_at end
     returning hits, not_before, resets_at`,
    { key, attempts, now, resetsAt },
  );
}

/** Counts one attempt, in a single statement, so that hosts that count at the same time agree. */
export async function countAttempt(db: Db, key: string, now: Date, resetsAt: Date): Promise<Count> {
  return addTo(db, key, 1, now, resetsAt);
}

/** The count of a key, locked until the end of the transaction. */
export async function lockCount(trx: Db, key: string, now: Date, resetsAt: Date): Promise<Count> {
  return addTo(trx, key, 0, now, resetsAt);
}

export async function saveCount(trx: Db, key: string, { hits, notBefore, resetsAt }: Count): Promise<void> {
  await trx('rate_limits').where({ key }).update({ hits, not_before: notBefore, resets_at: resetsAt });
}

/** Subtracts an attempt that turned out not to count. */
export async function forgiveAttempt(db: Db, key: string): Promise<void> {
  await db('rate_limits').where({ key }).where('hits', '>', 0).decrement('hits', 1);
}

export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db('rate_limits').where({ key }).delete();
}

/** The maximum number of counts. A flood from many addresses creates one for each of them. */
const MOST_COUNTS = 200_000;

/** Deletes expired counts and, if there are too many, those that expire first. Returns how many. */
export async function removeLapsedWindows(db: Db, now: Date, most = MOST_COUNTS): Promise<number> {
  const surplus = db('rate_limits').orderBy('resets_at', 'desc').orderBy('key').offset(most).select('key');
  return db('rate_limits').where('resets_at', '<=', now).orWhereIn('key', surplus).delete();
}
