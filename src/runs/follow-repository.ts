import type { Db } from '../db/database.ts';
import { renameRepositoryOfRuns } from './repository-store.ts';

/** Runs of pull requests go with their repository when it is renamed or transferred. Names are in lower case. */
export async function moveRunsOfRepository(
  trx: Db,
  from: { owner: string; repo: string },
  to: { owner: string; repo: string },
): Promise<void> {
  await renameRepositoryOfRuns(trx, from, to);
}
