import type { Db } from './database.ts';

/**
 * Runs `work` in one transaction: all of it is committed when this resolves, none of it when it rejects. If `db` is
 * already a transaction, it is used as it is, so that use cases can be combined. Its owner commits. Nothing is
 * retried.
 */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction === true ? work(db) : db.transaction(work);
}

/**
 * All statements of `work` see the same snapshot. It must only read, and be short, because nothing is vacuumed
 * meanwhile.
 */
export async function inSnapshot<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction === true) return work(db);
  return db.transaction(async (trx) => {
    await trx.raw('set transaction isolation level repeatable read, read only');
    return work(trx);
  });
}

/** Until the transaction ends, others that lock the same name wait. @param kind such as `runs`: what is named */
export async function lockByName(trx: Db, kind: string, name: string): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`pixelgate ${kind} ${name}`]);
}
