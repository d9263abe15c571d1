import { toColumns } from '../db/camel-case.ts';
import { lockByName, type Db } from '../db/database.ts';
import { TARGET_COLUMNS, type Target } from './target.ts';

export type TargetDraft = Omit<Target, 'stoppedBecause' | 'switchedOff' | 'createdAt' | 'updatedAt'> & {
  sealed: string;
};

export async function insertTarget(db: Db, draft: TargetDraft): Promise<Target> {
  const [row] = await db('targets').insert(toColumns(draft)).returning(TARGET_COLUMNS);
  return row;
}

/** Of a suite, or of the installation. The oldest first. */
export async function findTargets(db: Db, testSuiteId: string | null): Promise<Target[]> {
  return db('targets').where({ test_suite_id: testSuiteId }).orderBy(['created_at', 'id']).select(TARGET_COLUMNS);
}

export async function findTarget(db: Db, id: string): Promise<Target | null> {
  return db('targets').where({ id }).first(TARGET_COLUMNS);
}

/** With what is sealed. Locked to the end of the transaction. */
export async function lockTarget(trx: Db, id: string): Promise<(Target & { sealed: string }) | null> {
  return trx('targets')
    .where({ id })
    .forUpdate()
    .first(...TARGET_COLUMNS, 'sealed');
}

/** What it takes to send something to a target. */
export async function findRecipient(db: Db, id: string): Promise<(Pick<Target, 'kind'> & { sealed: string }) | null> {
  return db('targets').where({ id }).first('kind', 'sealed');
}

/** Who is told of an event of this kind: of its suite, and of the whole installation. */
export async function findListeners(
  db: Db,
  kind: string,
  testSuiteId: string | null,
): Promise<Pick<Target, 'id' | 'tells'>[]> {
  return db('targets')
    .where({ stopped_because: null })
    .whereRaw('? = any(listens)', [kind])
    .where((either) => either.whereNull('test_suite_id').orWhere({ test_suite_id: testSuiteId }))
    .orderBy('id')
    .select('id', 'tells');
}

export type TargetChange = Partial<
  Pick<Target, 'name' | 'host' | 'channel' | 'listens' | 'tells' | 'stoppedBecause' | 'switchedOff'>
> & { sealed?: string };

/** Null: it is no longer there. */
export async function changeTarget(db: Db, id: string, change: TargetChange): Promise<Target | null> {
  const [row] = await db('targets')
    .where({ id })
    .update({ ...toColumns(change), updated_at: db.fn.now() })
    .returning(TARGET_COLUMNS);
  return row ?? null;
}

/** Puts a target back in use, unless somebody switched it off. */
export async function resumeTarget(db: Db, id: string): Promise<void> {
  await db('targets').where({ id, switched_off: false }).update({ stopped_because: null });
}

/** False: it was not there. */
export async function removeTarget(db: Db, id: string): Promise<boolean> {
  return (await db('targets').where({ id }).delete()) === 1;
}

/** Until the transaction ends, no other one adds a target there. */
export async function lockTargets(trx: Db, testSuiteId: string | null): Promise<void> {
  await lockByName(trx, 'targets', testSuiteId ?? 'installation');
}

export async function countTargets(db: Db, testSuiteId: string | null): Promise<number> {
  return (await db('targets').where({ test_suite_id: testSuiteId }).select('id')).length;
}
