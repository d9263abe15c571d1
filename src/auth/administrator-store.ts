import type { Db } from '../db/database.ts';

/** Why an account is an administrator: a person named it, or it is in a group of the identity provider that does. */
export type AdministratorBy = 'NAMED' | 'GROUP';

/** Null: no administrator, or no such account. */
export async function findAdministrator(db: Db, userId: string): Promise<AdministratorBy | null> {
  const row = await db('users').where({ id: userId }).first('administrator');
  return row?.administrator ?? null;
}

/**
 * Locks all administrators who may sign in, to the end of the transaction, so that of two who leave at the same moment one
 * stays. In one order, so that nobody waits in a circle.
 */
export async function lockAdministrators(trx: Db): Promise<string[]> {
  const rows = await trx('users')
    .whereNotNull('administrator')
    .where({ disabled_at: null })
    .orderBy('id')
    .forUpdate()
    .select('id');
  return rows.map(({ id }) => id);
}

/** False: there is no such account. */
export async function writeAdministrator(db: Db, userId: string, by: AdministratorBy | null): Promise<boolean> {
  return (await db('users').where({ id: userId }).update({ administrator: by, updated_at: db.fn.now() })) === 1;
}
