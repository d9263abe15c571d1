import { computed, type Db } from '../db/database.ts';
import { readableSuiteIds } from '../suites/readable-sql.ts';
import type { SuiteFor } from '../suites/suite.ts';
import {
  USUAL_CHOICE,
  type Choice,
  type ChoiceChange,
  type ChosenSuite,
  type SuiteChoice,
  type SuiteChoiceChange,
} from './choice.ts';

/** What a person chose for all suites. */
export async function findChoice(db: Db, userId: string): Promise<Choice> {
  const row = await db('digests').where({ user_id: userId }).first('hears', 'tells');
  return { hears: row?.hears ?? USUAL_CHOICE.hears, tells: row?.tells ?? USUAL_CHOICE.tells };
}

/** Without the fields that stay as they are. */
const changed = <H, T>({ hears, tells }: { hears?: H | undefined; tells?: T | undefined }) => ({
  ...(hears === undefined ? {} : { hears }),
  ...(tells === undefined ? {} : { tells }),
});

export async function saveChoice(db: Db, userId: string, change: ChoiceChange): Promise<void> {
  const row = { user_id: userId, ...changed(change) };
  await db('digests').insert(row).onConflict('user_id').merge(row);
}

/** What the viewer hears of one suite. */
export async function readSuiteChoice(db: Db, { id, viewer }: SuiteFor): Promise<SuiteChoice> {
  const row = await db('suite_follows').where({ user_id: viewer.id, test_suite_id: id }).first('hears', 'tells');
  return row ?? { hears: null, tells: null };
}

/** The viewer follows the suite from then on. */
export async function saveSuiteChoice(db: Db, { id, viewer }: SuiteFor, change: SuiteChoiceChange): Promise<void> {
  const row = { user_id: viewer.id, test_suite_id: id, ...changed(change) };
  await db('suite_follows').insert(row).onConflict(['user_id', 'test_suite_id']).merge(row);
}

/** Every suite is as chosen for all suites. */
export async function clearSuiteChoices(db: Db, userId: string): Promise<void> {
  await db('suite_follows').where({ user_id: userId }).update({ hears: null, tells: null });
}

/** The suites that a person follows and may read, by name, and how many there are. */
export async function findChosenSuites(
  db: Db,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ suites: ChosenSuite[]; total: number }> {
  const rows = await db('suite_follows as follow')
    .join('test_suites as suite', 'suite.id', 'follow.test_suite_id')
    .where({ 'follow.user_id': userId })
    .whereIn('suite.id', readableSuiteIds(db, userId))
    .orderByRaw('lower(suite.name), suite.id')
    .limit(limit)
    .offset(offset)
    .select('suite.id', 'suite.name', 'follow.hears', 'follow.tells')
    .select(computed(db, 'total', 'bigint', 'count(*) over ()'));
  return { suites: rows.map(({ total: _all, ...suite }) => suite), total: rows[0]?.total ?? 0 };
}
