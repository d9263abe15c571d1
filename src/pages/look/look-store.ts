import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import { LOOK_COLUMNS, type SiteFacts, type SiteLook } from './site-look.ts';

/** Maximum number of looks of one person. */
const KEPT = 3;

/** Deletes the person's oldest looks beside it. @returns its id. */
export async function insertLook(
  db: Db,
  { userId, address, typed }: { userId: string; address: string; typed: Record<string, string> },
): Promise<string> {
  const [row] = await db('site_looks')
    .insert({ user_id: userId, address, typed: json(typed) })
    .returning('id');
  const old = db('site_looks').where({ user_id: userId }).orderBy('created_at', 'desc').offset(KEPT).select('id');
  await db('site_looks').whereIn('id', old).delete();
  return row.id;
}

export async function findLook(db: Db, where: { id: string; user_id?: string }): Promise<SiteLook | null> {
  return db('site_looks').where(where).first(LOOK_COLUMNS);
}

/** The look that the person started at this address a moment ago, updated with the current values of the form. */
export async function renewLook(
  db: Db,
  { userId, address, typed }: { userId: string; address: string; typed: Record<string, string> },
): Promise<SiteLook | null> {
  const [look] = await db('site_looks')
    .where({ user_id: userId, address })
    .whereRaw("created_at > now() - interval '10 seconds'")
    .update({ typed: json(typed) })
    .returning(LOOK_COLUMNS);
  return look ?? null;
}

const pending = (db: Db, id: string) => db('site_looks').where({ id, status: 'PENDING' });

export async function saveFacts(db: Db, id: string, facts: SiteFacts): Promise<void> {
  await pending(db, id).update({ facts: json(facts), updated_at: db.fn.now() });
}

/** Does nothing when the look was deleted, or has ended already. */
export async function settleLook(
  db: Db,
  id: string,
  end: { picture: string | null; problem: string | null },
): Promise<void> {
  await pending(db, id).update({ ...end, status: 'DONE', updated_at: db.fn.now() });
}
