import type { Context } from '../../context.ts';
import { findCovers, findRunShots, type Shot } from './result-list-store.ts';

/** By the ids of runs. */
export type Shots = ReadonlyMap<string, Shot[]>;

/** How many fit into a row of a very wide window. */
const SHOTS_OF_A_RUN = 8;

/** What each of the runs found first, in one query. The caller may read them. */
export async function readShots({ db }: Pick<Context, 'db'>, runs: readonly { id: string }[]): Promise<Shots> {
  if (runs.length === 0) return new Map();
  const shots = await findRunShots(
    db,
    runs.map(({ id }) => id),
    SHOTS_OF_A_RUN,
  );
  return new Map(runs.map(({ id }) => [id, shots.filter(({ testRunId }) => testRunId === id)]));
}

/** The file of one representative screenshot for each suite, in one query. The caller may read them. */
export async function readCovers(
  { db }: Pick<Context, 'db'>,
  suites: readonly { id: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (suites.length === 0) return new Map();
  const covers = await findCovers(
    db,
    suites.map(({ id }) => id),
  );
  return new Map(covers.map(({ testSuiteId, filePath }) => [testSuiteId, filePath]));
}
