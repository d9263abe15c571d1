import { toColumns } from '../../db/camel-case.ts';
import type { Db } from '../../db/database.ts';
import type { SelectedRow } from '../../db/query.ts';

const COLUMNS = ['app_id', 'slug', 'name', 'html_url', 'client_id', 'encrypted_secrets'] as const;

/** The App that was created from our manifest, as stored. Its secrets are sealed. */
export type StoredApp = SelectedRow<'github_app', typeof COLUMNS>;

export async function findApp(db: Db): Promise<StoredApp | null> {
  return db('github_app').first(COLUMNS);
}

/** False when an App is stored already. That one stays. */
export async function insertApp(db: Db, app: StoredApp, createdBy: string): Promise<boolean> {
  const inserted = await db('github_app')
    .insert({ ...toColumns(app), created_by: createdBy })
    .onConflict('singleton')
    .ignore()
    .returning('app_id');
  return inserted.length === 1;
}

/** False when there is another App by now. */
export async function replaceAppSecrets(db: Db, before: string, encryptedSecrets: string): Promise<boolean> {
  const query = db('github_app').where({ encrypted_secrets: before });
  return (await query.update({ encrypted_secrets: encryptedSecrets })) === 1;
}

/** Deletes the App only while it still has the given secrets, so that a newer App is not lost. */
export async function removeApp(db: Db, encryptedSecrets: string): Promise<void> {
  await db('github_app').where({ encrypted_secrets: encryptedSecrets }).delete();
}
