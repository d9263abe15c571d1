import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';

/** What is counted under a key. `notBefore`: until then the next attempt is refused; null: none was delayed yet. */
const Count = z.object({ hits: z.number(), notBefore: z.date().nullable(), resetsAt: z.date() });
export type Count = z.infer<typeof Count>;

/** Locks the count of a key to the end of the transaction. A lapsed one, or none, is a fresh one that ends at `resetsAt`. */
export async function lockCount(trx: Db, key: string, now: Date, resetsAt: Date): Promise<Count> {
  const [count] = await readRows(
    trx,
    Count,
    `insert into rate_limits as counted (key, hits, resets_at) values (:key, 0, :resetsAt)
     on conflict (key) do update set
       hits = case when counted.resets_at <= :now then 0 else counted.hits end,
       not_before = case when counted.resets_at <= :now then null else counted.not_before end,
       resets_at = case when counted.resets_at <= :now then excluded.resets_at else counted.resets_at end
     returning hits, not_before, resets_at`,
    { key, now, resetsAt },
  );
  if (count === undefined) throw new Error('Locking a count returned no row');
  return count;
}

export async function saveCount(trx: Db, key: string, { hits, notBefore, resetsAt }: Count): Promise<void> {
  await trx('rate_limits').where({ key }).update({ hits, not_before: notBefore, resets_at: resetsAt });
}
