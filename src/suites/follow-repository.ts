import type { Db } from '../db/database.ts';
import { renameLinks, setInstallationOfLinks } from './repository-store.ts';

/**
 * Suites stay linked to a repository that was renamed or transferred, under its new name.
 * @param to.installationId of the App where the repository is now; null when it is not told
 */
export async function followRepository(
  trx: Db,
  from: { owner: string; repo: string },
  to: { owner: string; repo: string; installationId: number | null },
): Promise<void> {
  await renameLinks(trx, from, to);
}

/**
 * An App that was uninstalled and installed again has another number. An account has one installation at most, so
 * the number that the links of its repositories have until now is void.
 */
export async function followInstallation(trx: Db, fullNames: string[], installationId: number): Promise<void> {
  await setInstallationOfLinks(trx, fullNames, installationId);
}
