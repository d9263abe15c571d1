import type { Db } from '../../db/database.ts';
import { findPullRequestsOfHeads } from '../../pull-requests/previews/preview-search-store.ts';
import type { RepositoryKey } from '../../suites/repository-key.ts';
import { findSignalsOfRepository, type SeenSignal } from './signal-store.ts';

/** The signals of a repository that have one name. */
export type HeardName = {
  /** At least one, newest first, of one commit each. */
  signals: SeenSignal[];
  newest: SeenSignal;
  /** The number of pull requests that had them. */
  pullRequests: number;
};

/** A name that this many pull requests had does not belong to one of them. */
const SEVERAL = 2;

export const isOfSeveral = ({ pullRequests }: HeardName): boolean => pullRequests >= SEVERAL;

export const nameKey = ({ source, name, project }: Pick<SeenSignal, 'source' | 'name' | 'project'>): string =>
  JSON.stringify([source, name, project]);

/** The stored signals of a repository, by their names, the newest first. */
export async function readHeardNames(db: Db, repository: RepositoryKey): Promise<HeardName[]> {
  const heard = await findSignalsOfRepository(db, repository);
  const numbers = await findPullRequestsOfHeads(db, repository, [...new Set(heard.map(({ headSha }) => headSha))]);
  const groups = new Map<string, SeenSignal[]>();
  for (const signal of heard) groups.set(nameKey(signal), [...(groups.get(nameKey(signal)) ?? []), signal]);
  return [...groups.values()].flatMap((signals) => {
    const [newest] = signals;
    if (newest === undefined) return [];
    const pullRequests = new Set(signals.flatMap(({ headSha }) => numbers.get(headSha) ?? [])).size;
    return [{ signals, newest, pullRequests }];
  });
}
