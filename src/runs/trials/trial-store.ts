import { toColumns } from '../../db/camel-case.ts';
import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import { toTrial, TRIAL_COLUMNS, type Trial, type TrialVisit } from './trial.ts';

/** How many are kept for each suite. */
const KEPT = 10;

export type TrialDraft = Pick<Trial, 'origin' | 'path' | 'viewport' | 'config'>;

/** Deletes the oldest trials of the suite beside it. @returns its id. */
export async function insertTrial(db: Db, testSuiteId: string, draft: TrialDraft): Promise<string> {
  const [row] = await db('page_trials')
    .insert(toColumns({ ...draft, testSuiteId }, ['config']))
    .returning('id');
  const old = db('page_trials')
    .where({ test_suite_id: testSuiteId })
    .orderBy('created_at', 'desc')
    .offset(KEPT)
    .select('id');
  await db('page_trials').whereIn('id', old).delete();
  return row.id;
}

export async function findTrial(db: Db, id: string): Promise<Trial | null> {
  const row = await db('page_trials').where({ id }).first(TRIAL_COLUMNS);
  return row === null ? null : toTrial(row);
}

export type TrialOutcome =
  | { status: 'ERROR'; error: string }
  | ({ status: 'DONE' } & Pick<Trial, 'file' | 'ignoredBoxes' | 'unmatchedSelectors' | 'warnings'>);

export async function saveVisit(db: Db, id: string, visit: TrialVisit): Promise<void> {
  await db('page_trials')
    .where({ id, status: 'PENDING' })
    .update({ visit: json(visit), updated_at: db.fn.now() });
}

/** Does nothing when the trial was deleted, or has an outcome already. */
export async function settleTrial(db: Db, id: string, outcome: TrialOutcome): Promise<void> {
  const columns =
    outcome.status === 'ERROR'
      ? toColumns(outcome)
      : toColumns(outcome, ['ignoredBoxes', 'unmatchedSelectors', 'warnings']);
  await db('page_trials')
    .where({ id, status: 'PENDING' })
    .update({ ...columns, updated_at: db.fn.now() });
}
