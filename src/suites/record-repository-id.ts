import type { Db } from '../db/database.ts';
import { setRepositoryId } from './repository-store.ts';

/**
 * Stores a repository's number, as the code host sent it, in links that lack it. A known number is never replaced,
 * because another repository that gets the name later must not get the links.
 * @param told.fullName `owner/repo`, whatever its case
 */
export async function recordRepositoryId(
  trx: Db,
  told: { fullName: string; installationId: number; id: number },
): Promise<void> {
  const [owner = '', repo = ''] = told.fullName.split('/');
  await setRepositoryId(trx, { owner, repo }, told);
}
