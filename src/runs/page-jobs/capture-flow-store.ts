import { qualified } from '../../db/qualified.ts';
import type { Db } from '../../db/database.ts';
import { IN_FLIGHT } from '../run.ts';
import type { RunType } from '../run.ts';

/** Whose turns a suite's captures take. Null: the suite is gone. */
export async function findOwner(db: Db, testSuiteId: string): Promise<string | null> {
  const row = await db('test_suites').where({ id: testSuiteId }).first('user_id');
  return row?.userId ?? null;
}

/** Runs in flight of all suites that the user owns. */
export async function findOwnRunsInFlight(
  db: Db,
  userId: string,
): Promise<{ id: string; testSuiteId: string; runType: RunType }[]> {
  return db('test_runs')
    .join('test_suites', 'test_suites.id', 'test_runs.test_suite_id')
    .where('test_suites.user_id', userId)
    .whereIn('test_runs.status', IN_FLIGHT)
    .select(qualified('test_runs', ['id', 'test_suite_id', 'run_type']));
}
