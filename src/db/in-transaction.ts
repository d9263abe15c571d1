import type { Db } from './database.ts';

/**
 * Runs `work` in one transaction: all of it is committed when this resolves, none of it when it rejects. A `db` that
 * is a transaction already is used as it is, so that use cases can be combined; its owner commits. Nothing is retried.
 */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction === true ? work(db) : db.transaction(work);
}
