import { toColumns } from '../../db/camel-case.ts';
import type { Db } from '../../db/database.ts';
import type { SelectedRow } from '../../db/query.ts';

declare module '../../db/json.ts' {
  interface JsonColumns {
    'code_host_installations.permissions': Record<string, string>;
  }
}

const COLUMNS = [
  'id',
  'installation_id',
  'account_login',
  'account_type',
  'repos',
  'suspended_at',
  'permissions',
  'events',
  'created_at',
  'updated_at',
] as const;

/** Where the App is installed, and what the account has granted. `repos`: full names, in GitHub's spelling. */
export type Installation = SelectedRow<'code_host_installations', typeof COLUMNS>;

export async function findInstallation(db: Db, installationId: number): Promise<Installation | null> {
  return db('code_host_installations').where({ installation_id: installationId }).first(COLUMNS);
}

/** Sorted by account. */
export async function findInstallations(db: Db): Promise<Installation[]> {
  return db('code_host_installations').orderByRaw('lower(account_login), installation_id').select(COLUMNS);
}

/** What an event says about the installation itself. */
export type InstallationFacts = Pick<
  Installation,
  'installationId' | 'accountLogin' | 'accountType' | 'suspendedAt' | 'permissions' | 'events'
> & {
  /** GitHub's time of this state. Null: the event does not give one. */
  changedAt: Date | null;
};

/** False when the row exists already. It stays as it is. */
export async function insertInstallation(db: Db, facts: InstallationFacts, repos: string[]): Promise<boolean> {
  const inserted = await db('code_host_installations')
    .insert({ ...toColumns(facts, ['permissions']), repos })
    .onConflict('installation_id')
    .ignore()
    .returning('id');
  return inserted.length === 1;
}

/** Does not change a row that a newer event has written. */
export async function updateInstallation(db: Db, facts: InstallationFacts): Promise<void> {
  await db('code_host_installations')
    .where({ installation_id: facts.installationId })
    .whereRaw('(changed_at is null or ?::timestamptz is null or changed_at <= ?::timestamptz)', [
      facts.changedAt,
      facts.changedAt,
    ])
    .update({ ...toColumns(facts, ['permissions']), updated_at: db.fn.now() });
}

export async function removeInstallation(db: Db, installationId: number): Promise<boolean> {
  return (await db('code_host_installations').where({ installation_id: installationId }).delete()) === 1;
}

/** The names without the removed and with the added ones. They are compared without case; the newer spelling is kept. */
const namesAfter = (db: Db, removed: string[], added: string[]) =>
  db.raw(
    `array(select name from unnest(repos) as kept(name) where lower(name) <> all(?::text[])
      union select name from unnest(?::text[]) as added(name) order by name)`,
    [[...removed, ...added].map((name) => name.toLowerCase()), added],
  );

export async function changeRepos(db: Db, installationId: number, added: string[], removed: string[]): Promise<void> {
  await db('code_host_installations')
    .where({ installation_id: installationId })
    .update({ repos: namesAfter(db, removed, added), updated_at: db.fn.now() });
}

/** Renames the repository in the installation that lists it. Other installations don't change. */
export async function renameRepo(db: Db, from: string, to: string): Promise<void> {
  await db('code_host_installations')
    .whereRaw('exists (select from unnest(repos) as name where lower(name) = ?)', [from.toLowerCase()])
    .update({ repos: namesAfter(db, [from], [to]), updated_at: db.fn.now() });
}

/** The repositories belong to the account, so their names contain its name. */
export async function renameAccount(db: Db, installationId: number, from: string, to: string): Promise<void> {
  const prefix = `${from.toLowerCase()}/`;
  await db('code_host_installations')
    .where({ installation_id: installationId })
    .update({
      account_login: to,
      repos: db.raw(
        `array(select case when starts_with(lower(name), ?) then ? || substr(name, ?) else name end as name
          from unnest(repos) as kept(name) order by name)`,
        [prefix, `${to}/`, prefix.length + 1],
      ),
      updated_at: db.fn.now(),
    });
}

/** False when an event has changed the row since `readAt` (its `updatedAt`). What was read may then be older. */
export async function replaceRepos(db: Db, installationId: number, readAt: Date, repos: string[]): Promise<boolean> {
  const replaced = await db('code_host_installations')
    .where({ installation_id: installationId })
    // A Date has milliseconds, the column microseconds.
    .whereRaw(`date_trunc('milliseconds', updated_at) = ?::timestamptz`, [readAt])
    .update({ repos, updated_at: db.fn.now() });
  return replaced === 1;
}

/** The time until which GitHub wants no requests for the installation. Null: it never asked for a pause. */
export async function findPause(db: Db, installationId: number): Promise<Date | null> {
  const row = await db('github_pauses').where({ installation_id: installationId }).first('until');
  return row?.until ?? null;
}

/** Keeps the later of the two times: answers to concurrent requests arrive in any order. */
export async function extendPause(db: Db, installationId: number, until: Date): Promise<void> {
  await db('github_pauses')
    .insert({ installation_id: installationId, until })
    .onConflict('installation_id')
    .merge({ until: db.raw('greatest(github_pauses.until, excluded.until)') });
}
