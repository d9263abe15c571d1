import type { Db } from '../db/database.ts';
import type { RepositoryName } from './suite.ts';

/** A suite is linked to the repository `owner`, `repo` (the two bindings). GitHub's names do not depend on case. */
export const LINKED_TO_SQL =
  '(lower(test_suites.codehost_owner) = lower(?) and lower(test_suites.codehost_repo) = lower(?))';

/**
 * Updates the links of suites to a repository that was renamed or transferred. Case does not matter.
 * @param to.installationId the App's installation at the new owner; null keeps the stored one
 */
export async function renameLinkedRepository(
  db: Db,
  from: RepositoryName,
  to: RepositoryName & { installationId: number | null },
): Promise<void> {
  await db('test_suites')
    .whereRaw(LINKED_TO_SQL, [from.owner, from.repo])
    .update({
      codehost_owner: to.owner,
      codehost_repo: to.repo,
      ...(to.installationId === null ? {} : { codehost_installation_id: to.installationId }),
      updated_at: db.fn.now(),
    });
}

/**
 * Stores a repository's number, as the code host sent it, in links that lack it. A known number is never replaced,
 * because another repository that gets the name later must not get the links.
 */
export async function keepRepositoryId(
  db: Db,
  { owner, repo }: RepositoryName,
  { installationId, id }: { installationId: number; id: number },
): Promise<void> {
  await db('test_suites')
    .whereRaw(LINKED_TO_SQL, [owner, repo])
    .where({ codehost_installation_id: installationId, codehost_repository_id: null })
    .update({ codehost_repository_id: id });
}

/**
 * An App that was uninstalled and installed again has a new installation id. An account has at most one installation,
 * so the old id in the links of its repositories is replaced.
 * @param fullNames `owner/repo`, whatever their case
 */
export async function relinkInstallation(db: Db, fullNames: string[], installationId: number): Promise<void> {
  const names = fullNames.map((name) => name.toLowerCase());
  await db('test_suites')
    .whereRaw(`lower(codehost_owner) || '/' || lower(codehost_repo) = any(?::text[])`, [names])
    .whereNot({ codehost_installation_id: installationId })
    .update({ codehost_installation_id: installationId, updated_at: db.fn.now() });
}
