import type { Db } from '../db/database.ts';
import { setRepositoryId } from './repository-store.ts';

/**
 * Takes a repository's number from the code host, for the links that lack it. One that is known is never replaced:
 * another repository that gets the name later must not get the links.
 * @param told.fullName `owner/repo`, whatever its case
 */
export async function recordRepositoryId(
  trx: Db,
  told: { fullName: string; installationId: number; id: number },
): Promise<void> {
  const [owner = '', repo = ''] = told.fullName.split('/');
  await setRepositoryId(trx, { owner, repo }, told);
}
