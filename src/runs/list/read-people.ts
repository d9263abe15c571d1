import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import type { People } from '../run-name.ts';
import type { Run } from '../run.ts';
import { findPeople, findStarters } from './run-list-store.ts';
import type { Person } from './run-list.ts';

/** The names of the people who started or cancelled the runs, in one query. */
export async function readPeople(
  { db }: Pick<Context, 'db'>,
  runs: readonly Pick<Run, 'startedById' | 'cancelledById'>[],
): Promise<People> {
  const ids = new Set(
    runs.flatMap(({ startedById, cancelledById }) => [startedById ?? [], cancelledById ?? []].flat()),
  );
  if (ids.size === 0) return new Map();
  return new Map((await findPeople(db, [...ids])).map(({ id, name }) => [id, name]));
}

/** A filter offers the people who started one of this many newest runs, of a suite or of all suites together. */
const RUNS_READ = { ofSuite: 1000, ofAll: 200 };

/** People by whom the runs of the suite can be filtered, by name. */
export async function listStarters({ db }: Pick<Context, 'db'>, suite: SuiteFor): Promise<Person[]> {
  return findStarters(db, { testSuiteId: suite.id }, RUNS_READ.ofSuite);
}

/** People by whom the runs of every suite that the viewer may read can be filtered, by name. */
export async function listAllStarters({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<Person[]> {
  return findStarters(db, { readableBy: viewer.id }, RUNS_READ.ofAll);
}
