import type { Db } from '../../db/database.ts';
import { toRepositoryKey } from '../../suites/repository-key.ts';
import type { RepositoryName } from '../../suites/repository-key.ts';
import { findDeliveryRound, findRepositoryRound } from './catch-up-store.ts';

/** When GitHub was asked last for what did not arrive, and what it does not tell. Null: it was not asked so far. */
export async function readLastLook(
  db: Db,
  appId: number,
  repository: RepositoryName,
): Promise<{ checkedAt: Date; problems: string[] } | null> {
  const rounds = [await findDeliveryRound(db, appId), await findRepositoryRound(db, toRepositoryKey(repository))];
  const looked = rounds.flatMap((round) => round ?? []);
  const [first] = looked.map(({ checkedAt }) => checkedAt).toSorted((one, other) => one.getTime() - other.getTime());
  return first === undefined ? null : { checkedAt: first, problems: looked.flatMap(({ problem }) => problem ?? []) };
}
