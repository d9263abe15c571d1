import type { Db } from '../db/database.ts';

/** Names are the same whatever their case. */
export async function renameLinks(
  db: Db,
  from: { owner: string; repo: string },
  to: { owner: string; repo: string; installationId: number | null },
): Promise<number> {
  return db('test_suites')
    .whereRaw('lower(codehost_owner) = lower(?) and lower(codehost_repo) = lower(?)', [from.owner, from.repo])
    .update({
      codehost_owner: to.owner,
      codehost_repo: to.repo,
      ...(to.installationId === null ? {} : { codehost_installation_id: to.installationId }),
      updated_at: db.fn.now(),
    });
}

/** @param fullNames `owner/repo`, whatever their case */
export async function setInstallationOfLinks(db: Db, fullNames: string[], installationId: number): Promise<number> {
  const names = fullNames.map((name) => name.toLowerCase());
  return db('test_suites')
    .whereRaw(`lower(codehost_owner) || '/' || lower(codehost_repo) = any(?::text[])`, [names])
    .whereNot({ codehost_installation_id: installationId })
    .update({ codehost_installation_id: installationId, updated_at: db.fn.now() });
}
