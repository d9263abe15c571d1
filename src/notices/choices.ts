import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import type { SuiteFor } from '../suites/suite.ts';
import * as store from './choice-store.ts';
import type { Choice, ChoiceChange, ChosenSuite, SuiteChoiceChange } from './choice.ts';

type Database = Pick<Context, 'db'>;

/** What the viewer hears by email of all suites that they follow. */
export async function readChoice({ db }: Database, viewer: Pick<Viewer, 'id'>): Promise<Choice> {
  return store.findChoice(db, viewer.id);
}

/** Events that already wait are checked again before they are sent. */
export async function changeChoice({ db }: Database, viewer: Viewer, change: ChoiceChange): Promise<void> {
  await store.saveChoice(db, viewer.id, change);
}

/** A choice makes the viewer follow the suite. */
export async function changeSuiteChoice({ db }: Database, suite: SuiteFor, change: SuiteChoiceChange): Promise<void> {
  await store.saveSuiteChoice(db, suite, change);
}

/** The suites that the viewer follows, by name. */
export async function listChosenSuites(
  { db }: Database,
  viewer: Viewer,
  part: { limit: number; offset: number },
): Promise<{ suites: ChosenSuite[]; total: number }> {
  return store.findChosenSuites(db, viewer.id, part);
}
