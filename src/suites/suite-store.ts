import { toColumns } from '../db/camel-case.ts';
import { lockByName, notNull, onlyOf, type Db } from '../db/database.ts';
import { json } from '../db/json.ts';
import type { ConfigFileState } from './config-file/config-file.ts';
import type { Settings, StoredSettings } from './settings-version.ts';
import {
  SUITE_COLUMNS,
  suiteFromRow,
  type CodeHostLink,
  type RepositoryName,
  type Suite,
  type SuiteOfRepository,
} from './suite.ts';

export type SuiteDraft = StoredSettings & Pick<Suite, 'kind' | 'userId'>;

/** `undefined` fields do not change; `codehost: null` removes the link. */
export type SuiteChange = Settings & {
  /** Null: the repository has no file, or no repository is linked. */
  configFile?: ConfigFileState | null | undefined;
  codehost?: CodeHostLink | null | undefined;
  /** Set with a link to another repository. Null: unknown. */
  repositoryId?: number | null | undefined;
};

export async function insertSuite(db: Db, draft: SuiteDraft): Promise<Suite> {
  const [row] = await db('test_suites')
    .insert({ ...toColumns(draft, ['config']), origin: new URL(draft.baseUrl).origin })
    .returning(SUITE_COLUMNS);
  return suiteFromRow(row);
}

export async function findSuite(db: Db, id: string): Promise<Suite | null> {
  const row = await db('test_suites').where({ id }).first(SUITE_COLUMNS);
  return row === null ? null : suiteFromRow(row);
}

/**
 * The stored settings, and what is known about the repository's file, locked until the transaction ends, so that two
 * updates cannot overwrite each other's fields.
 */
export async function lockSettings(
  db: Db,
  id: string,
): Promise<(StoredSettings & { configFile: ConfigFileState | null }) | null> {
  const locked = db('test_suites').where({ id }).forUpdate();
  return locked.first('name', 'base_url', 'description', 'config', 'config_file');
}

/** What is known about the repository's file. It stays so until the transaction ends. Runs can start meanwhile. */
export async function lockConfigFile(trx: Db, id: string): Promise<ConfigFileState | null> {
  return (await trx('test_suites').where({ id }).forShare().first('config_file'))?.configFile ?? null;
}

/** Until the transaction ends, the suite is not deleted. False: it is gone. Its runs can start meanwhile. */
export async function keepSuite(trx: Db, id: string): Promise<boolean> {
  return (await trx('test_suites').where({ id }).forKeyShare().first('id')) !== null;
}

/** Which of these suites exist and belong to somebody else. None is deleted before the transaction ends. */
export async function lockSuitesOfOthers(trx: Db, ids: string[], userId: string): Promise<string[]> {
  return trx('test_suites').whereIn('id', ids).whereNot({ user_id: userId }).forShare().pluck('id');
}

/** Every suite that is linked to the repository, oldest first; names are compared without case. */
export async function findLinkedSuites(db: Db, { owner, repo }: RepositoryName): Promise<SuiteOfRepository[]> {
  const rows = await db('test_suites')
    .whereRaw(LINKED_TO_SQL, [owner, repo])
    .orderBy('created_at')
    .orderBy('id')
    .select(SUITE_COLUMNS);
  return rows.map((row) => notNull(suiteFromRow(row), 'codehost'));
}

/** Nobody has more than a hundred suites for one repository. */
const MAX_LINKED = 100;

/** The active suites that are linked to the repository of this number, oldest first. */
export async function findSuitesOfRepository(db: Db, repositoryId: number): Promise<Suite[]> {
  const rows = await db('test_suites')
    .where({ codehost_repository_id: repositoryId, is_active: true })
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_LINKED)
    .select(SUITE_COLUMNS);
  return rows.map(suiteFromRow);
}

/** Until the transaction ends, no other transaction can link a suite to the repository. */
export async function lockRepository(db: Db, { owner, repo }: RepositoryName): Promise<void> {
  await lockByName(db, 'links', `${owner}/${repo}`.toLowerCase());
}

function changedColumns(change: SuiteChange) {
  const { baseUrl, codehost, configFile } = change;
  return {
    name: change.name,
    description: change.description,
    is_active: change.isActive,
    ...(change.config === undefined ? {} : { config: json(change.config) }),
    ...(configFile === undefined ? {} : { config_file: configFile && json(configFile) }),
    ...(baseUrl === undefined ? {} : { base_url: baseUrl, origin: new URL(baseUrl).origin }),
    ...(codehost === undefined
      ? {}
      : {
          codehost_owner: codehost?.owner ?? null,
          codehost_repo: codehost?.repo ?? null,
          codehost_installation_id: codehost?.installationId ?? null,
          codehost_check_context: codehost?.checkContext ?? null,
        }),
    codehost_repository_id: codehost === null ? null : change.repositoryId,
  };
}

/** The caller has locked it. */
export async function changeSuite(trx: Db, id: string, change: SuiteChange): Promise<Suite> {
  const rows = await trx('test_suites')
    .where({ id })
    .update({ ...changedColumns(change), updated_at: trx.fn.now() })
    .returning(SUITE_COLUMNS);
  return suiteFromRow(onlyOf(rows));
}

export async function removeSuite(db: Db, id: string): Promise<void> {
  await db('test_suites').where({ id }).delete();
}

/** Gives one suite of an owner, or all (`suiteId` null), to another one. Returns their ids. */
export async function moveSuites(
  trx: Db,
  { from, to, suiteId }: { from: string; to: string; suiteId: string | null },
): Promise<string[]> {
  const query = trx('test_suites').where({ user_id: from });
  if (suiteId !== null) void query.where({ id: suiteId });
  const moved = await query.update({ user_id: to, updated_at: trx.fn.now() }).returning('id');
  return moved.map(({ id }) => id);
}

/** By name. */
export async function listOwned(db: Db, userId: string, limit: number): Promise<{ id: string; name: string }[]> {
  return db('test_suites').where({ user_id: userId }).orderByRaw('lower(name), id').limit(limit).select('id', 'name');
}

/** The previews that a person declared to be on other servers than the site, as `previewKind` names them. */
export async function findDifferentServers(db: Db, suiteId: string): Promise<string[]> {
  const row = await db('test_suites').where({ id: suiteId }).first('different_servers');
  return row?.differentServers ?? [];
}

/** Stores what a person declares of a kind of preview. False if that was declared before. */
export async function keepDifferentServers(db: Db, suiteId: string, kind: string, differ: boolean): Promise<boolean> {
  const changed = await db('test_suites')
    .where({ id: suiteId })
    .whereRaw('(? = any(different_servers)) <> ?', [kind, differ])
    .update({ different_servers: db.raw(`array_${differ ? 'append' : 'remove'}(different_servers, ?)`, [kind]) });
  return changed === 1;
}

/** A suite is linked to the repository `owner`, `repo` (the two bindings). GitHub's names do not depend on case. */
const LINKED_TO_SQL = '(lower(test_suites.codehost_owner) = lower(?) and lower(test_suites.codehost_repo) = lower(?))';

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
